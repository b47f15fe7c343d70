#include "sim/network/router.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "sim/network/routes.h"
#include "sim/network/topologies.h"
#include "tests/sim/network/shapes.h"

namespace cubicbench::sim {
namespace {

using Parts = std::map<BundleId, double>;

Parts spread(const Topology& topology, std::int64_t from, std::int64_t to) {
  std::vector<BundlePart> parts;
  Router(topology).spread(from, to, parts);
  Parts sums;
  for (const BundlePart& part : parts) sums[part.bundle] += part.part;
  return sums;
}

/// Parallel cables of two GPUs taken together, as the first: a route picks one by the hash that
/// also picked the relay, and so not evenly.
Parts by_neighbours(const Topology& topology, const Parts& parts) {
  std::map<BundleId, BundleId> first;
  const Router router(topology);
  for (const Link& link : topology.links) {
    const bool of_gpus = topology.vertices[link.from].kind == VertexKind::gpu &&
                         topology.vertices[link.to].kind == VertexKind::gpu;
    first.emplace(link.bundle, of_gpus ? router.between(link.from, link.to) : link.bundle);
  }
  Parts sums;
  for (const auto& [bundle, part] : parts) sums[first.at(bundle)] += part;
  return sums;
}

/// What route() loads on average over `labels` labels.
Parts average(const Topology& topology, std::int64_t from, std::int64_t to, int labels) {
  Parts sums;
  for (int label = 0; label < labels; ++label) {
    const Route way =
        route(topology, {.from = from, .to = to, .flow = static_cast<std::uint64_t>(label)});
    for (const LinkId link : way.links()) sums[topology.links[link].bundle] += 1.0 / labels;
  }
  return sums;
}

TopologyShape cube_mesh_shape() {
  TopologyShape shape = node_shape(8);
  shape.domain = DomainKind::cube_mesh;
  shape.domain_rate = 25_GBps;
  return shape;
}

TopologyShape full_mesh_shape() {
  TopologyShape shape = node_shape(16);
  shape.domain = DomainKind::direct;
  return shape;
}

TEST(Router, SpreadsAsRoutesDoOnAverage) {
  struct Case {
    const char* name;
    TopologyShape shape;
    double tolerance;  ///< of a mean over hashes; zero where there is one way
  };
  for (const Case& c :
       {Case{"one switch", node_shape(16), 0.0}, Case{"full mesh", full_mesh_shape(), 0.0},
        Case{"cube mesh", cube_mesh_shape(), 0.08}, Case{"torus", torus_shape(4, 3, 2), 0.0},
        Case{"rails", superpod_shape(2'048), 0.0}, Case{"racks and pods", llama3_shape(6'144), 0.0},
        Case{"islands", islands_shape(1'024), 0.0},
        Case{"dragonfly", dragonfly_shape(512), 0.08}}) {
    const Topology topology = build_topology(c.shape);
    const std::int64_t gpus = c.shape.gpus;
    for (std::int64_t from = 0; from < gpus; from += std::max<std::int64_t>(1, gpus / 7)) {
      for (std::int64_t to = 0; to < gpus; to += std::max<std::int64_t>(1, gpus / 9)) {
        const Parts expected =
            by_neighbours(topology, average(topology, from, to, c.tolerance > 0.0 ? 1'000 : 3));
        const Parts got = by_neighbours(topology, spread(topology, from, to));
        EXPECT_EQ(got.size(), expected.size()) << c.name << " " << from << " to " << to;
        for (const auto& [bundle, part] : got) {
          const double other = expected.contains(bundle) ? expected.at(bundle) : 0.0;
          EXPECT_NEAR(part, other, std::max(c.tolerance, 1e-12)) << c.name << " " << from << to;
        }
      }
    }
  }
}

TEST(Router, ARelayedPairOfTheCubeMeshLoadsTwoLinks) {
  // GPUs 0 and 5 have no cable. 1 and 4 are joined to both, by 1 and 2 and by 2 and 1 cables.
  const Topology topology = build_topology(cube_mesh_shape());
  double sum = 0.0;
  for (const auto& [bundle, part] : spread(topology, 0, 5)) {
    EXPECT_TRUE(part == 0.5 || part == 0.25) << part;
    sum += part;
  }
  EXPECT_DOUBLE_EQ(sum, 2.0);
}

TEST(Router, KeepsWaysOfTheirOwn) {
  const Topology topology = build_topology(node_shape(16));
  Router router(topology);
  EXPECT_FALSE(router.is_fixed(0, 8));
  const std::span<const LinkId> way = links_from(topology, gpu_vertex(0));
  router.fix(0, 8, {way.begin(), way.end()});
  EXPECT_TRUE(router.is_fixed(0, 8));
  EXPECT_FALSE(router.is_fixed(8, 0)) << "one direction";
  EXPECT_EQ(router.fixed().at({0, 8}).size(), way.size());
}

}  // namespace
}  // namespace cubicbench::sim
