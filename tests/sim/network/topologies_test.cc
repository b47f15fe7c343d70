#include "sim/network/topologies.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/sim/network/shapes.h"

namespace cubicbench::sim {
namespace {

/// What the links from vertices that `inside` accepts to others carry together.
template <class Inside>
BytesPerSecond cut(const Topology& topology, Inside inside) {
  BytesPerSecond sum;
  for (const Link& link : topology.links) {
    if (inside(topology.vertices[link.from]) && !inside(topology.vertices[link.to])) {
      sum += link.rate;
    }
  }
  return sum;
}

/// Everything below block `block` of layer `layer`, its switches included.
auto below(const Topology& topology, std::size_t layer, std::int64_t block) {
  return [&topology, layer, block](const Vertex& vertex) {
    const SwitchLayers& layers = topology.layers;
    std::int64_t gpu = 0;
    if (vertex.kind == VertexKind::fabric_switch) {
      if (vertex.tier > layer) return false;
      gpu = vertex.block * layers.layer[vertex.tier].block_gpus;
    } else {
      gpu = vertex.block * topology.shape.domain_gpus;
    }
    return block_of(layers.layer[layer], gpu) == block;
  };
}

TEST(SwitchLayers, CountsTheSwitchesOfASuperPod) {
  // [SuperPOD]: 128, 512 and 2,048 nodes; leaf, spine, core. 64 ports.
  struct Case {
    std::int64_t gpus;
    std::vector<std::int64_t> switches;
  };
  for (const Case& c :
       {Case{1024, {32, 16}}, Case{4096, {128, 128, 64}}, Case{16384, {512, 512, 256}}}) {
    const SwitchLayers layers = switch_layers(superpod_shape(c.gpus));
    ASSERT_EQ(layers.count, c.switches.size());
    for (std::size_t i = 0; i < layers.count; ++i) {
      EXPECT_EQ(layers.layer[i].blocks * layers.layer[i].switches, c.switches[i]) << c.gpus;
    }
    // As many cables in every tier as GPUs.
    for (std::size_t i = 0; i + 1 < layers.count; ++i) {
      const SwitchLayer& layer = layers.layer[i];
      EXPECT_EQ(layer.blocks * layer.switches * layer.cables, c.gpus);
      EXPECT_EQ(layer.cable_rate, 50_GBps);
    }
  }
}

TEST(Topologies, SuperPodHasFullBisection) {
  const Topology topology = build_topology(superpod_shape(16'384));
  // 16,384 GPUs, 2,048 NVSwitches, 16,384 adapters, 1,280 fabric switches.
  EXPECT_EQ(topology.vertices.size(), 16'384U + 2'048U + 16'384U + 1'280U);
  // Both ways: to the NVSwitch, the adapter, its leaf, a spine, a core.
  EXPECT_EQ(topology.links.size(), 2U * 5U * 16'384U);
  EXPECT_EQ(cut(topology, below(topology, 0, 5)), 256.0 * 50_GBps);
  EXPECT_EQ(cut(topology, below(topology, 1, 15)), 1024.0 * 50_GBps);
  for (std::int64_t core = 0; core < 256; ++core) {
    ASSERT_EQ(links_from(topology, fabric_switch(topology, 2, 0, core)).size(), 64U);
  }
}

TEST(Topologies, Llama3PodsAreOversubscribedSevenToOne) {
  const Topology topology = build_topology(llama3_shape(24'576));
  EXPECT_EQ(topology.layers.layer[0].blocks, 1'536);
  EXPECT_EQ(topology.layers.layer[1].blocks, 8);
  EXPECT_EQ(cut(topology, below(topology, 0, 100)), 16.0 * 50_GBps);
  EXPECT_NEAR(cut(topology, below(topology, 1, 3)).value, 3072.0 * 50e9 / 7.0, 1.0);
}

TEST(Topologies, ASmallClusterNeedsNoUpperTiers) {
  EXPECT_EQ(switch_layers(llama3_shape(8)).count, 0U);
  EXPECT_EQ(switch_layers(llama3_shape(16)).count, 1U);
  EXPECT_EQ(switch_layers(llama3_shape(2048)).count, 2U);
  EXPECT_EQ(switch_layers(superpod_shape(64)).count, 2U) << "spines join the rails";
  EXPECT_EQ(switch_layers(node_shape(64)).count, 1U);
}

TEST(Topologies, DragonflyGroupsAreAllJoined) {
  const Topology topology = build_topology(dragonfly_shape(1'024));
  EXPECT_EQ(topology.layers.layer[0].blocks * topology.layers.layer[0].switches, 64);
  // A switch: 16 adapters' worth to the seven others of its group; a group: 128 / 2 to seven
  // others.
  EXPECT_EQ(topology.layers.layer[0].cables, 7);
  EXPECT_NEAR(topology.layers.layer[0].cable_rate.value, 32.0 * 50e9 / 7.0, 1.0);
  EXPECT_EQ(topology.layers.global_cables, 9) << "64 cables over 7 groups";
  EXPECT_NEAR(cut(topology, below(topology, 0, 2)).value, 64.0 * 50e9, 10.0);
}

TEST(Topologies, IslandsShareOneUplink) {
  const Topology topology = build_topology(islands_shape(1'024));
  EXPECT_EQ(cut(topology, below(topology, 0, 0)), 512.0 * 10_GBps);
}

TEST(Topologies, DomainsAreWiredByKind) {
  struct Case {
    const char* name;
    DomainKind kind;
    std::array<int, 3> torus;
    bool wraps;
    std::size_t links;
  };
  for (const Case& c :
       {Case{"star of 8", DomainKind::switched, {}, true, 16},
        Case{"28 pairs", DomainKind::direct, {}, true, 56},
        Case{"six cables a GPU", DomainKind::cube_mesh, {}, true, 48},
        Case{"a ring of 8", DomainKind::torus, {8, 1, 1}, true, 16},
        Case{"a line of 8", DomainKind::torus, {8, 1, 1}, false, 14},
        Case{"a cube: both neighbours are one", DomainKind::torus, {2, 2, 2}, true, 24},
        Case{"4 x 2", DomainKind::torus, {4, 2, 1}, true, 24}}) {
    TopologyShape shape = node_shape(8);
    shape.domain = c.kind;
    shape.torus = c.torus;
    shape.torus_wraps = c.wraps;
    const Topology topology = build_topology(shape);
    EXPECT_EQ(topology.links.size(), c.links) << c.name;
  }
}

TEST(Topologies, ATorusHasTheBisectionOfItsWidth) {
  // 16 x 16 x 16: half of it is left through 2 x 256 links.
  const Topology topology = build_topology(torus_shape(16, 16, 16));
  EXPECT_EQ(topology.links.size(), 6U * 4'096U);
  EXPECT_EQ(cut(topology, [](const Vertex& v) { return v.index < 2'048; }), 512.0 * 70_GBps);
}

TEST(Topologies, AdaptersMayBeFewerThanGpus) {
  TopologyShape shape = node_shape(16);
  shape.adapters = 4;
  const Topology topology = build_topology(shape);
  EXPECT_EQ(adapter_of(shape, 8), 0);
  EXPECT_EQ(adapter_of(shape, 9), 0);
  EXPECT_EQ(adapter_of(shape, 15), 3);
  const VertexId adapter = adapter_vertex(topology, 1, 3);
  ASSERT_EQ(links_from(topology, adapter).size(), 3U) << "two GPUs and a leaf";
  EXPECT_EQ(topology.links[links_from(topology, adapter)[2]].rate, 100_GBps);
}

TEST(Topologies, ALastDomainMayBeSmaller) {
  const Topology topology = build_topology(superpod_shape(260));
  EXPECT_EQ(topology.layers.layer[0].blocks, 2);
}

}  // namespace
}  // namespace cubicbench::sim
