// Numbers of bundles, which follow from a shape, held against the cables of its graph.
#include "sim/network/bundle_numbers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <vector>

#include "sim/network/routes.h"
#include "sim/network/topologies.h"
#include "tests/sim/network/shapes.h"

namespace cubicbench::sim {
namespace {

struct Case {
  const char* name;
  TopologyShape shape;
};

TopologyShape with_adapters(TopologyShape shape, std::int64_t adapters) {
  shape.adapters = adapters;
  return shape;
}

TopologyShape with_domain(TopologyShape shape, DomainKind kind) {
  shape.domain = kind;
  return shape;
}

TopologyShape of_lone_gpus(TopologyShape shape) {
  shape.domain_gpus = shape.adapters = 1;
  return shape;
}

/// Whole and partly filled domains and blocks; rails and planes; few adapters.
std::vector<Case> trees() {
  return {{"one switch", node_shape(16)},
          {"one domain", node_shape(8)},
          {"a last domain of one", node_shape(17)},
          {"two GPUs an adapter", with_adapters(node_shape(30), 4)},
          {"lone GPUs", of_lone_gpus(small_clos_shape(200))},
          {"rails", superpod_shape(2'048)},
          {"rails of one unit", superpod_shape(64)},
          {"rails of few adapters", with_adapters(superpod_shape(1'500), 2)},
          {"racks and pods", llama3_shape(6'144)},
          {"a pod and a bit", llama3_shape(3'077)},
          {"small pods", small_clos_shape(1'000)},
          {"islands", islands_shape(1'300)},
          {"full meshes", with_domain(small_clos_shape(200), DomainKind::direct)}};
}

std::vector<Case> all() {
  std::vector<Case> cases = trees();
  cases.push_back({"dragonfly", dragonfly_shape(600)});
  cases.push_back({"torus", torus_shape(4, 3, 2)});
  cases.push_back({"cube meshes", with_domain(node_shape(12), DomainKind::cube_mesh)});
  return cases;
}

TEST(BundleNumbers, BundlesCarryWhatTheirCablesDo) {
  for (const Case& c : all()) {
    const Topology topology = build_topology(c.shape);
    IdVector<BundleId, BytesPerSecond> sums(topology.bundles.size());
    const auto is_inside = [&](VertexId id) {
      const VertexKind kind = topology.vertices[id].kind;
      return kind == VertexKind::gpu || kind == VertexKind::domain_switch;
    };
    for (const Link& link : topology.links) {
      sums[link.bundle] += link.rate;
      EXPECT_EQ(is_inside(link.from) && is_inside(link.to),
                index_of(link.bundle) < topology.domain_bundles)
          << c.name;
    }
    EXPECT_EQ(topology.bundles, sums) << c.name;
  }
}

TEST(BundleNumbers, WithoutAGraphBundlesAreTheSame) {
  for (const Case& c : all()) {
    const Topology graph = build_topology(c.shape);
    const Topology bundles = build_bundles(c.shape);
    EXPECT_EQ(bundles.bundles, graph.bundles) << c.name;
    EXPECT_EQ(bundles.domain_bundles, graph.domain_bundles) << c.name;
    EXPECT_EQ(bundles.shape, c.shape) << c.name;
  }
  EXPECT_EQ(build_bundles(llama3_shape(6'144)).links.size(), 0U);
}

BundlePair both_ways(const Topology& topology, LinkId link) {
  return {topology.links[link].bundle, topology.links[reverse(link)].bundle};
}

/// The bundles of all cables from `from` to those from `first` to `last`, which are one.
BundlePair cables(const Topology& topology, VertexId from, VertexId first, VertexId last) {
  const std::span<const LinkId> links = links_between(topology, from, first, last);
  EXPECT_FALSE(links.empty());
  const BundlePair one = both_ways(topology, links.front());
  for (const LinkId link : links) {
    EXPECT_EQ(both_ways(topology, link).there, one.there);
    EXPECT_EQ(both_ways(topology, link).back, one.back);
  }
  return one;
}

void expect_same(BundlePair got, BundlePair expected, const char* name) {
  EXPECT_EQ(got.there, expected.there) << name;
  EXPECT_EQ(got.back, expected.back) << name;
}

TEST(BundleNumbers, AreThoseOfTheCables) {
  for (const Case& c : trees()) {
    const Topology topology = build_topology(c.shape);
    const BundleNumbers numbers(topology);
    const bool has_fabric = topology.layers.count > 0;
    for (std::int64_t gpu = 0; gpu < c.shape.gpus; ++gpu) {
      const std::int64_t domain = domain_of(c.shape, gpu);
      const bool is_alone =
          std::min(c.shape.domain_gpus, c.shape.gpus - domain * c.shape.domain_gpus) == 1;
      if (c.shape.domain == DomainKind::switched && !is_alone) {
        const VertexId top = domain_switch(topology, domain);
        expect_same(BundleNumbers::to_switch(gpu), cables(topology, gpu_vertex(gpu), top, top),
                    c.name);
      }
      if (!has_fabric) continue;
      const VertexId adapter = adapter_vertex_of(topology, gpu);
      const VertexId leaf = leaf_vertex_of(topology, gpu);
      expect_same(numbers.to_adapter(gpu), cables(topology, gpu_vertex(gpu), adapter, adapter),
                  c.name);
      expect_same(numbers.to_leaf(gpu), cables(topology, adapter, leaf, leaf), c.name);
    }
    for (std::size_t tier = 0; tier + 1 < topology.layers.count; ++tier) {
      const SwitchLayer& layer = topology.layers.layer[tier];
      const SwitchLayer& above = topology.layers.layer[tier + 1];
      for (std::int64_t i = 0; i < layer.blocks * layer.switches; ++i) {
        const std::int64_t block = i / layer.switches;
        const std::int64_t parent = block_of(above, block * layer.block_gpus);
        expect_same(numbers.up(tier, tier == 0 ? i : block),
                    cables(topology, fabric_switch(topology, tier, block, i % layer.switches),
                           fabric_switch(topology, tier + 1, parent, 0),
                           fabric_switch(topology, tier + 1, parent, above.switches - 1)),
                    c.name);
      }
    }
  }
}

TEST(BundleNumbers, LeadAlongTheRoute) {
  for (const Case& c : trees()) {
    const Topology topology = build_topology(c.shape);
    const BundleNumbers numbers(topology);
    const std::int64_t gpus = c.shape.gpus;
    for (std::int64_t from = 0; from < gpus; from += std::max<std::int64_t>(1, gpus / 31)) {
      for (std::int64_t to = 0; to < gpus; to += std::max<std::int64_t>(1, gpus / 37)) {
        if (domain_of(c.shape, from) == domain_of(c.shape, to)) continue;
        std::vector<BundleId> expected;
        const Route way = route(topology, {.from = from, .to = to});
        for (const LinkId link : way.links()) expected.push_back(topology.links[link].bundle);
        std::vector<BundleId> got;
        numbers.each(from, to, [&](BundleId bundle) { got.push_back(bundle); });
        EXPECT_EQ(got, expected) << c.name << " " << from << " to " << to;
      }
    }
  }
}

}  // namespace
}  // namespace cubicbench::sim
