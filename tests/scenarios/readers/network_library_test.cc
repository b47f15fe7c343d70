// Every network that ships is a topology: it can be built, and everybody reaches everybody.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/catalog.h"
#include "scenarios/readers/network_reader.h"
#include "sim/base/philox.h"
#include "sim/network/link_rings.h"
#include "sim/network/routes.h"
#include "sim/network/topologies.h"
#include "tests/sim/network/shapes.h"

namespace cubicbench::scenarios {
namespace {

constexpr std::int64_t gpus_tried_max = 16'384;

NetworkDescription described(const std::string& name) {
  std::vector<support::Problem> problems;
  NetworkDescription read =
      read_network_description(find_document(Kind::network, name, "", "test"), problems);
  EXPECT_TRUE(problems.empty()) << name;
  return read;
}

/// Four domains, or two blocks of the widest tier that `gpus_tried_max` GPUs can fill twice.
sim::TopologyShape shape_of(const NetworkDescription& read) {
  std::int64_t gpus = 4 * read.domain_gpus;
  for (const sim::Tier& tier : read.network.tiers) {
    if (2 * tier.gpus <= gpus_tried_max) gpus = std::max(gpus, 2 * tier.gpus);
  }
  return sim::topology_shape(read.network, gpus, read.domain_gpus);
}

TEST(NetworkLibrary, EveryNetworkIsATopologyWithWaysThroughIt) {
  std::uint64_t entity = 0;
  for (const Entry& entry : names(Kind::network)) {
    SCOPED_TRACE(entry.name);
    const sim::TopologyShape shape = shape_of(described(entry.name));
    const sim::ShapeProblem problem = problem_of(shape);
    ASSERT_FALSE(problem) << problem.field << ": " << problem.expected << ", got " << problem.got;
    const sim::Topology topology = sim::build_topology(shape);
    ++entity;
    for (std::uint32_t draw = 0; draw < 200; ++draw) {
      const auto pick = [&](std::uint32_t what) {
        const sim::Draw name{.seed = 9, .entity = entity, .draw = 2 * draw + what};
        return static_cast<std::int64_t>(
            sim::uniform_below(name, static_cast<std::uint64_t>(shape.gpus)));
      };
      const std::int64_t from = pick(0);
      const std::int64_t to = pick(1);
      const sim::Route way = sim::route(topology, {.from = from, .to = to, .flow = draw});
      EXPECT_TRUE(joins(topology, way, from, to)) << from << " to " << to;
    }
  }
}

TEST(NetworkLibrary, HasEveryKindOfFabric) {
  std::vector<int> fabrics(fabric_kind_names().size(), 0);
  for (const Entry& entry : names(Kind::network)) {
    ++fabrics[static_cast<std::size_t>(described(entry.name).network.fabric)];
  }
  for (const int count : fabrics) EXPECT_GT(count, 0);
}

TEST(NetworkLibrary, RingsOfTheCubeMeshAreThoseOfItsCables) {
  const sim::Network network = described("nvlink2-edr").network;
  for (int gpus = 1; gpus <= 8; ++gpus) {
    EXPECT_EQ(network.rings[static_cast<std::size_t>(gpus)], sim::cube_mesh_rings(gpus)) << gpus;
  }
}

TEST(NetworkLibrary, TheSuperPodIsThatOfItsPlan) {
  const NetworkDescription read = described("superpod-b200");
  const sim::SwitchLayers layers =
      switch_layers(sim::topology_shape(read.network, 16'384, read.domain_gpus));
  ASSERT_EQ(layers.count, 3U);
  EXPECT_EQ(layers.layer[0].blocks * layers.layer[0].switches, 512);
  EXPECT_EQ(layers.layer[1].blocks * layers.layer[1].switches, 512);
  EXPECT_EQ(layers.layer[2].switches, 256);
}

}  // namespace
}  // namespace cubicbench::scenarios
