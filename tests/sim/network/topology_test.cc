#include "sim/network/topology.h"

#include <gtest/gtest.h>

#include "sim/network/topologies.h"
#include "tests/sim/network/shapes.h"

namespace cubicbench::sim {
namespace {

/// Two GPUs on one switch.
Topology two_on_a_switch() {
  Topology topology;
  topology.shape.gpus = 2;
  for (const VertexKind kind : {VertexKind::gpu, VertexKind::gpu, VertexKind::fabric_switch}) {
    topology.vertices.push_back({.kind = kind});
  }
  return topology;
}

void add_both(Topology& topology) {
  add_cable(topology, VertexId{0}, VertexId{2}, 50_GBps, 1_us);
  add_cable(topology, VertexId{1}, VertexId{2}, 50_GBps, 1_us);
}

TEST(Topology, ACableIsTwoLinksThatKnowEachOther) {
  Topology topology = two_on_a_switch();
  add_both(topology);
  ASSERT_EQ(topology.links.size(), 4U);
  for (std::size_t i = 0; i < topology.links.size(); ++i) {
    const auto id = id_at<LinkId>(i);
    const Link& link = topology.links[id];
    const Link& back = topology.links[reverse(id)];
    EXPECT_EQ(link.from, back.to);
    EXPECT_EQ(link.to, back.from);
    EXPECT_NE(link.bundle, back.bundle);
    EXPECT_EQ(topology.bundles[link.bundle], link.rate);
  }
}

TEST(Topology, FindsTheCablesBetweenTwoVertices) {
  Topology topology = two_on_a_switch();
  add_both(topology);
  add_cable(topology, VertexId{0}, VertexId{2}, 50_GBps, 1_us);
  index(topology);
  EXPECT_EQ(links_from(topology, VertexId{2}).size(), 3U);
  EXPECT_EQ(links_between(topology, VertexId{2}, VertexId{0}, VertexId{0}).size(), 2U);
  EXPECT_EQ(links_between(topology, VertexId{2}, VertexId{0}, VertexId{1}).size(), 3U);
  EXPECT_EQ(links_between(topology, VertexId{0}, VertexId{1}, VertexId{1}).size(), 0U);
}

TEST(TopologyShape, RefusesWhatNoTopologyHas) {
  struct Case {
    const char* field;
    std::int64_t got;
    void (*change)(TopologyShape&);
  };
  for (const Case& c :
       {Case{"gpus", 0, [](TopologyShape& s) { s.gpus = 0; }},
        Case{"gpus", 1'000'000, [](TopologyShape& s) { s.gpus = 1'000'000; }},
        Case{"domain_gpus", 0, [](TopologyShape& s) { s.domain_gpus = 0; }},
        Case{"adapters", 16, [](TopologyShape& s) { s.adapters = 16; }},
        Case{"domain_rate", 0, [](TopologyShape& s) { s.domain_rate = {}; }},
        Case{"adapter_rate", 0, [](TopologyShape& s) { s.adapter_rate = {}; }},
        Case{"switch_ports", 1, [](TopologyShape& s) { s.switch_ports = 1; }},
        Case{"domain_gpus", 16,
             [](TopologyShape& s) {
               s.domain = DomainKind::cube_mesh;
               s.domain_gpus = 16;
             }},
        Case{"torus", 12,
             [](TopologyShape& s) {
               s.domain = DomainKind::torus;
               s.torus = {4, 3, 0};
             }},
        Case{"torus", 500,
             [](TopologyShape& s) {
               s.domain = DomainKind::torus;
               s.torus = {1000, 1, 1};
               s.domain_gpus = 1000;
             }},
        // A tier inside itself, one that does not hold whole blocks, one above a smaller one.
        Case{"tiers", 256, [](TopologyShape& s) { s.tiers[1].gpus = 256; }},
        Case{"tiers", 1000, [](TopologyShape& s) { s.tiers[1].gpus = 1000; }},
        Case{"tiers", 128, [](TopologyShape& s) { s.tiers[1].gpus = 128; }},
        Case{"tiers", 12, [](TopologyShape& s) { s.tiers[0].gpus = 12; }},
        Case{"tiers", 0, [](TopologyShape& s) { s.tiers[1].oversubscription = 0.0; }},
        Case{"tiers", 0, [](TopologyShape& s) { s.tiers[1].latency = -1_us; }},
        Case{"tiers", 2, [](TopologyShape& s) { s.fabric = FabricKind::flat; }},
        Case{"tiers", 2, [](TopologyShape& s) { s.fabric = FabricKind::islands; }},
        Case{"tiers", 0, [](TopologyShape& s) { s.tiers[0].gpus = 0; }},
        Case{"tiers", 1, [](TopologyShape& s) {
               s.fabric = FabricKind::dragonfly;
               s.tiers[1].gpus = 0;
             }}}) {
    TopologyShape shape = superpod_shape(2048);
    EXPECT_FALSE(problem_of(shape));
    c.change(shape);
    const ShapeProblem problem = problem_of(shape);
    EXPECT_STREQ(problem.field, c.field);
    EXPECT_EQ(problem.got, c.got) << problem.expected;
  }
}

}  // namespace
}  // namespace cubicbench::sim
