#include "sim/network/routes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "sim/base/philox.h"
#include "sim/network/topologies.h"
#include "tests/sim/network/shapes.h"

namespace cubicbench::sim {
namespace {

std::vector<TopologyShape> all_shapes() {
  TopologyShape rack = superpod_shape(1'152);
  rack.domain_gpus = 72;
  rack.adapters = 72;
  rack.tiers = {Tier{576, 1.0, 1_us}};
  TopologyShape mesh = node_shape(32);
  mesh.domain = DomainKind::cube_mesh;
  TopologyShape direct = node_shape(36);
  direct.domain = DomainKind::direct;
  TopologyShape few = superpod_shape(2048);
  few.adapters = 4;
  return {node_shape(64),
          superpod_shape(64),
          superpod_shape(16'384),
          llama3_shape(16'384),
          llama3_shape(16),
          dragonfly_shape(4'096),
          islands_shape(2'048),
          torus_shape(16, 16, 16),
          torus_shape(32, 32, 1),
          torus_shape(5, 3, 2),
          rack,
          mesh,
          direct,
          few};
}

TEST(Routes, LeadWhereTheyShouldFromAnywhere) {
  const std::vector<TopologyShape> shapes = all_shapes();
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const Topology topology = build_topology(shapes[i]);
    const auto gpus = static_cast<std::uint64_t>(shapes[i].gpus);
    for (std::uint32_t draw = 0; draw < 300; ++draw) {
      const auto pick = [&](std::uint32_t what) {
        return static_cast<std::int64_t>(
            uniform_below({.seed = 8, .entity = i * 1000 + draw, .draw = what}, gpus));
      };
      const RouteRequest request{pick(0), pick(1), draw};
      const Route way = route(topology, request);
      ASSERT_TRUE(joins(topology, way, request.from, request.to)) << i << " " << draw;
      std::set<VertexId> seen;
      for (const LinkId link : way.links()) {
        EXPECT_TRUE(seen.insert(topology.links[link].from).second) << "passes a vertex twice";
        EXPECT_GT(topology.links[link].rate, BytesPerSecond{});
        EXPECT_GE(topology.links[link].latency, Seconds{});
      }
      EXPECT_EQ(way, route(topology, request));
    }
  }
}

TEST(Routes, CountTheirLinks) {
  const Topology topology = build_topology(superpod_shape(16'384));
  struct Case {
    const char* name;
    RouteRequest request;
    std::size_t links;
  };
  // GPU 0 is on rail 0 of node 0; a unit is 256 GPUs, a pod 1,024.
  for (const Case& c : {Case{"itself", {0, 0}, 0}, Case{"NVSwitch", {0, 7}, 2},
                        Case{"one leaf", {0, 8}, 4}, Case{"another rail, over a spine", {0, 9}, 6},
                        Case{"another unit", {0, 256}, 6}, Case{"another pod", {0, 1024}, 8}}) {
    const Route way = route(topology, c.request);
    EXPECT_EQ(way.size(), c.links) << c.name;
  }
}

TEST(Routes, FlowsSpreadOverEqualWays) {
  // 3,200 flows from one leaf of a pod to another: 32 spines, about 100 each. A binomial count is
  // within 5 sigma = 50 of that.
  const Topology topology = build_topology(superpod_shape(4'096));
  std::map<VertexId, int> spines;
  for (std::uint64_t flow = 0; flow < 3'200; ++flow) {
    const Route way = route(topology, {.from = 0, .to = 256, .flow = flow});
    ++spines[topology.links[way.links()[2]].to];
  }
  ASSERT_EQ(spines.size(), 32U);
  for (const auto& [spine, flows] : spines) EXPECT_NEAR(flows, 100, 50) << index_of(spine);
}

TEST(Routes, SwitchesOfOneLayerDecideIndependently) {
  // Over the cores too: 32 spines, 32 cables from each (8 cores, 4 cables) are 1,024 ways up.
  const Topology topology = build_topology(superpod_shape(16'384));
  std::set<LinkId> cables;
  for (std::uint64_t flow = 0; flow < 8'192; ++flow) {
    const Route way = route(topology, {.from = 0, .to = 1024, .flow = flow});
    cables.insert(way.links()[3]);
  }
  EXPECT_GT(cables.size(), 1'000U);
}

TEST(Routes, ADragonflyHasThreeStepsAtMost) {
  const Topology topology = build_topology(dragonfly_shape(4'096));
  std::size_t longest = 0;
  for (std::int64_t to = 8; to < 4'096; to += 8) {
    for (std::uint64_t flow = 0; flow < 8; ++flow) {
      longest = std::max(longest, route(topology, {.from = 0, .to = to, .flow = flow}).size());
    }
  }
  // GPU, adapter, switch; local, global, local; adapter, GPU.
  EXPECT_EQ(longest, 2U + 3U + 2U);
}

TEST(Routes, ATorusGoesTheShortWayRound) {
  const Topology topology = build_topology(torus_shape(16, 16, 16));
  const auto chip = [](std::int64_t x, std::int64_t y, std::int64_t z) {
    return x + 16 * (y + 16 * z);
  };
  struct Case {
    std::int64_t to;
    std::size_t links;
  };
  for (const Case& c : {Case{chip(1, 0, 0), 1}, Case{chip(15, 0, 0), 1}, Case{chip(8, 8, 8), 24},
                        Case{chip(9, 1, 15), 7 + 1 + 1}}) {
    EXPECT_EQ(route(topology, {.from = 0, .to = c.to}).size(), c.links);
  }
  TopologyShape line = torus_shape(16, 1, 1);
  line.torus_wraps = false;
  EXPECT_EQ(route(build_topology(line), {.from = 0, .to = 15}).size(), 15U);
}

TEST(Routes, ACubeMeshRelaysOverANeighbourOfBoth) {
  TopologyShape shape = node_shape(8);
  shape.domain = DomainKind::cube_mesh;
  const Topology topology = build_topology(shape);
  EXPECT_EQ(route(topology, {.from = 0, .to = 4}).size(), 1U);
  EXPECT_EQ(route(topology, {.from = 0, .to = 5}).size(), 2U);
  EXPECT_EQ(route(topology, {.from = 0, .to = 6}).size(), 2U);
}

}  // namespace
}  // namespace cubicbench::sim
