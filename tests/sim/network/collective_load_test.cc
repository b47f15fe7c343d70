#include "sim/network/collective_load.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include "sim/base/philox.h"
#include "sim/network/domain_load.h"
#include "sim/network/placement.h"
#include "sim/network/requested_cost.h"
#include "sim/network/topologies.h"
#include "sim/network/traffic.h"
#include "tests/sim/fixtures.h"
#include "tests/sim/network/shapes.h"

namespace cubicbench::sim {
namespace {

using Gpus = std::vector<std::int64_t>;
using Loads = std::map<BundleId, double>;

constexpr double rounding = 1e-4;  // of weights

Gpus every(std::int64_t stride, std::int64_t first, std::int64_t count) {
  Gpus gpus;
  for (std::int64_t i = 0; i < count; ++i) gpus.push_back(first + i * stride);
  return gpus;
}

IdVector<BundleId, std::int64_t> capacities(const Topology& topology) {
  return link_capacities(topology, Network{});
}

CollectiveLoad load_of(const Router& router, Collective op, Algorithm algorithm, const Gpus& gpus,
                       BytesPerSecond rate_max = {}) {
  LoadCounter counter(router, capacities(router.topology()));
  return counter.count({op, algorithm, gpus, rate_max});
}

/// Bytes on each bundle, a byte of size.
Loads bytes_of(const CollectiveLoad& load) {
  Loads bytes;
  for (const LinkUse& use : load.uses) {
    bytes[use.bundle] = static_cast<double>(use.weight) / 256.0 * load.flow_bytes;
  }
  return bytes;
}

double sum(const Loads& loads) {
  double total = 0.0;
  for (const auto& [bundle, bytes] : loads) total += bytes;
  return total;
}

/// What leaves GPUs for adapters.
double sum_across(const Topology& topology, const Loads& loads) {
  double total = 0.0;
  for (const Link& link : topology.links) {
    const bool leaves = topology.vertices[link.from].kind == VertexKind::gpu &&
                        topology.vertices[link.to].kind == VertexKind::adapter;
    if (leaves && loads.contains(link.bundle)) total += loads.at(link.bundle);
  }
  return total;
}

// ---- by hand -----------------------------------------------------------------------------------

TEST(CollectiveLoad, ARingInOneNodePassesItsVolumeOverEveryLink) {
  const Topology topology = build_topology(node_shape(8));
  const Router router(topology);
  const auto load = load_of(router, Collective::all_reduce, Algorithm::ring, every(1, 0, 8));
  EXPECT_EQ(load.uses.size(), 16U);  // up and down, eight GPUs
  for (const auto& [bundle, bytes] : bytes_of(load)) EXPECT_DOUBLE_EQ(bytes, 2.0 * 7.0 / 8.0);
  EXPECT_EQ(load.flows, 8);
  EXPECT_DOUBLE_EQ(load.flow_bytes, 1.75 / 16.0);
  EXPECT_EQ(load.uses.front().weight, 16 * 256);
}

TEST(CollectiveLoad, ARingBetweenNodesUsesAllTheirAdapters) {
  // All-gather among 16: 15/16 cross each node's adapters, an eighth of that each; inside a node
  // the other seven of eight channels pass it on. 2 x (7 + 8) flows.
  const Topology topology = build_topology(node_shape(16));
  const Router router(topology);
  const auto load = load_of(router, Collective::all_gather, Algorithm::ring, every(1, 0, 16));
  const double once = 15.0 / 16.0;
  EXPECT_EQ(load.flows, 30);
  EXPECT_DOUBLE_EQ(load.flow_bytes, once / 8.0 / 16.0);
  const Loads bytes = bytes_of(load);
  EXPECT_EQ(bytes.size(), 16U * 2 + 16U * 4);
  for (std::int64_t gpu = 0; gpu < 16; ++gpu) {
    const VertexId adapter = adapter_vertex(topology, gpu / 8, gpu % 8);
    EXPECT_NEAR(bytes.at(router.between(gpu_vertex(gpu), adapter)), once / 8.0, rounding);
    EXPECT_NEAR(bytes.at(router.between(adapter, gpu_vertex(gpu))), once / 8.0, rounding);
    const VertexId top = domain_switch(topology, gpu / 8);
    EXPECT_NEAR(bytes.at(router.between(gpu_vertex(gpu), top)), once * 7.0 / 8.0, rounding);
  }
}

TEST(CollectiveLoad, TwoNodesExchangeTheBufferOnceByTrees) {
  // Each tree has half; between two nodes one goes up where the other comes down.
  const Topology topology = build_topology(node_shape(16));
  const Router router(topology);
  const auto load = load_of(router, Collective::all_reduce, Algorithm::nvls_tree, every(1, 0, 16));
  const Loads bytes = bytes_of(load);
  const VertexId adapter = adapter_vertex(topology, 0, 3);
  EXPECT_NEAR(bytes.at(router.between(gpu_vertex(3), adapter)), 1.0 / 8.0, 1e-9);
  EXPECT_NEAR(bytes.at(router.between(adapter, gpu_vertex(3))), 1.0 / 8.0, 1e-9);
  EXPECT_NEAR(bytes.at(router.between(gpu_vertex(3), domain_switch(topology, 0))), 9.0 / 8.0,
              rounding);
}

TEST(CollectiveLoad, AFullMeshIsUsedOverAllItsLinks) {
  TopologyShape shape = node_shape(8);
  shape.domain = DomainKind::direct;
  const Topology topology = build_topology(shape);
  const Router router(topology);
  const auto load = load_of(router, Collective::all_gather, Algorithm::ring, every(1, 0, 8));
  EXPECT_EQ(load.uses.size(), 56U);
  for (const auto& [bundle, bytes] : bytes_of(load)) EXPECT_NEAR(bytes, 1.0 / 8.0, rounding);
}

TEST(CollectiveLoad, ACubeMeshIsUsedAlongItsRings) {
  TopologyShape shape = node_shape(8);
  shape.domain = DomainKind::cube_mesh;
  const Topology topology = build_topology(shape);
  const Router router(topology);
  // Six rings of eight use all 48 directed cables; each passes a sixth of 7/8.
  const auto load = load_of(router, Collective::all_gather, Algorithm::ring, every(1, 0, 8));
  EXPECT_EQ(load.uses.size(), 48U);
  for (const auto& [bundle, bytes] : bytes_of(load)) EXPECT_NEAR(bytes, 7.0 / 48.0, rounding);
  // The upper four have the cables of the lower four: four rings.
  const auto upper = load_of(router, Collective::all_gather, Algorithm::ring, every(1, 4, 4));
  EXPECT_NEAR(sum(bytes_of(upper)), 4.0 * 0.75, 1e-3);
  // GPUs 0 and 5 have no cable: every byte passes two links.
  const auto apart = load_of(router, Collective::all_gather, Algorithm::ring, {0, 5});
  EXPECT_NEAR(sum(bytes_of(apart)), 2.0 * 2.0 * 0.5, 1e-3);
}

TEST(CollectiveLoad, ATorusIsUsedAlongAllAxes) {
  // 4 x 3 x 2: two rings and a line of two. Each way round and over has a fifth.
  const Topology topology = build_topology(torus_shape(4, 3, 2));
  const Router router(topology);
  const auto load = load_of(router, Collective::all_gather, Algorithm::ring, every(1, 0, 24));
  EXPECT_EQ(load.uses.size(), 24U * 5);
  for (const auto& [bundle, bytes] : bytes_of(load))
    EXPECT_NEAR(bytes, 23.0 / 24.0 / 5.0, rounding);
  // The second of two groups of twelve, two apart: along x two members with a link between that
  // they pass over, which makes half of a ring; then 3 and 2.
  const auto odd = load_of(router, Collective::all_gather, Algorithm::ring, every(2, 1, 12));
  for (const auto& [bundle, bytes] : bytes_of(odd)) {
    EXPECT_TRUE(std::abs(bytes - 11.0 / 12.0 / 2.0 / 4.0) < rounding ||
                std::abs(bytes - 11.0 / 12.0 / 4.0) < rounding)
        << bytes;
  }
}

TEST(CollectiveLoad, AnExchangeOnALineIsBusiestInTheMiddle) {
  // Four in a row send a quarter to each: 1 x 3, 2 x 2, 3 x 1 pairs over each link, each way.
  TopologyShape shape = torus_shape(4, 1, 1);
  shape.torus_wraps = false;
  const Topology topology = build_topology(shape);
  const Router router(topology);
  const Loads bytes =
      bytes_of(load_of(router, Collective::all_to_all, Algorithm::direct, every(1, 0, 4)));
  EXPECT_EQ(bytes.size(), 6U);
  for (std::int64_t gpu = 0; gpu < 3; ++gpu) {
    const double expected = static_cast<double>((gpu + 1) * (3 - gpu)) / 4.0;
    EXPECT_NEAR(bytes.at(router.between(gpu_vertex(gpu), gpu_vertex(gpu + 1))), expected, rounding);
    EXPECT_NEAR(bytes.at(router.between(gpu_vertex(gpu + 1), gpu_vertex(gpu))), expected, rounding);
  }
}

TEST(CollectiveLoad, OneMessageLoadsItsWay) {
  const Topology topology = build_topology(node_shape(16));
  const Router router(topology);
  LoadCounter counter(router, capacities(topology));
  const CollectiveLoad load = counter.count_message(1, 9, 45_GBps);
  EXPECT_EQ(load.flows, 1);
  EXPECT_EQ(load.uses.size(), 4U);  // adapter, switch, adapter, GPU
  for (const auto& [bundle, bytes] : bytes_of(load)) EXPECT_DOUBLE_EQ(bytes, 1.0);
  EXPECT_DOUBLE_EQ(load.demand_max, 0.9);
  EXPECT_EQ(counter.count_message(3, 3, 45_GBps).uses.size(), 0U);
}

TEST(CollectiveLoad, UnequalNodesShareWhatCrosses) {
  // Three members on the first node, two on the second: thirds leave, halves arrive.
  const Topology topology = build_topology(node_shape(16));
  const Router router(topology);
  const Gpus gpus{0, 1, 2, 8, 9};
  const Loads bytes = bytes_of(load_of(router, Collective::all_gather, Algorithm::ring, gpus));
  const double once = 0.8;
  for (const std::int64_t gpu : gpus) {
    const VertexId adapter = adapter_vertex(topology, gpu / 8, gpu % 8);
    const double part = once / (gpu < 8 ? 3.0 : 2.0);
    EXPECT_NEAR(bytes.at(router.between(gpu_vertex(gpu), adapter)), part, 1e-3);
    EXPECT_NEAR(bytes.at(router.between(adapter, gpu_vertex(gpu))), part, 1e-3);
  }
}

TEST(CollectiveLoad, ReductionInTheFabricPassesEachSumOnce) {
  // Two units of 32 nodes on rails: every leaf adds up its rail and sends an eighth to the spines.
  const Topology topology = build_topology(superpod_shape(512));
  const Router router(topology);
  const Loads bytes =
      bytes_of(load_of(router, Collective::all_reduce, Algorithm::in_network, every(1, 0, 512)));
  const VertexId leaf = fabric_switch(topology, 0, 1, 5);
  const VertexId spine = topology.links[links_from(topology, leaf).back()].to;
  EXPECT_NEAR(bytes.at(router.between(leaf, spine)), 1.0 / 8.0, rounding);
  EXPECT_NEAR(bytes.at(router.between(spine, leaf)), 1.0 / 8.0, rounding);
}

// ---- laws --------------------------------------------------------------------------------------

TEST(CollectiveLoad, BetweenDomainsAsMuchIsSentAsTheVolumeSays) {
  const Topology topology = build_topology(superpod_shape(1'024));
  const Router router(topology);
  for (const Group& group :
       {Group{16, 8}, Group{64, 8}, Group{1024, 8}, Group{40, 8}, Group{16, 1}, Group{12, 4}}) {
    Gpus gpus;
    for (std::int64_t i = 0; i < group.ranks; ++i) {
      gpus.push_back(i / group.ranks_per_node * 8 + i % group.ranks_per_node);
    }
    for (std::size_t o = 0; o < collective_count; ++o) {
      for (std::size_t a = 0; a < algorithm_count; ++a) {
        const auto op = static_cast<Collective>(o);
        const auto algorithm = static_cast<Algorithm>(a);
        // A broadcast whose root sends to everybody itself is nobody's algorithm; in the chains of
        // traffic() one adapter is the door of a node, here all of them are.
        if (!has_traffic(op, algorithm, group)) continue;
        if (algorithm == Algorithm::direct && op == Collective::broadcast) continue;
        const Loads bytes = bytes_of(load_of(router, op, algorithm, gpus));
        double expected = volume(op, algorithm, Bytes{1.0}, group).across.value;
        if (algorithm == Algorithm::in_network) expected *= 0.5;  // up, and as much down
        EXPECT_NEAR(sum_across(topology, bytes), expected, 1e-3 * expected)
            << o << " " << a << " " << group.ranks;
      }
    }
  }
}

/// Up to 200 GPUs of `shape`, drawn in whole or part domains.
Gpus random_members(const TopologyShape& shape, std::uint64_t seed) {
  Gpus gpus;
  std::uint32_t draw = 0;
  const auto below = [&](std::int64_t end) {
    const Draw name{.seed = seed, .entity = 9, .draw = draw++};
    return static_cast<std::int64_t>(uniform_below(name, static_cast<std::uint64_t>(end)));
  };
  const std::int64_t every_nth = 1 + below(4);
  for (std::int64_t domain = 0; domain < domains_of(shape); domain += every_nth) {
    const std::int64_t count = 1 + below(shape.domain_gpus);
    for (std::int64_t i = 0; i < count && gpus.size() < 200; ++i) {
      gpus.push_back(domain * shape.domain_gpus + i);
    }
  }
  return gpus;
}

TEST(CollectiveLoad, PairsCountedByBlocksAreThoseCountedOneByOne) {
  struct Case {
    const char* name;
    TopologyShape shape;
  };
  for (const Case& c :
       {Case{"flat", node_shape(256)}, Case{"rails", superpod_shape(2'048)},
        Case{"one unit of rails", superpod_shape(128)}, Case{"racks and pods", llama3_shape(4'096)},
        Case{"dragonfly", dragonfly_shape(1'024)}, Case{"one group", dragonfly_shape(128)},
        Case{"islands", islands_shape(2'048)}}) {
    const Topology topology = build_topology(c.shape);
    const Router router(topology);
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      const Gpus gpus = random_members(c.shape, seed);
      BundleLoads counted(topology.bundles.size());
      add_pairs_between_domains(router, gpus, 1.0, counted);
      BundleLoads routed(topology.bundles.size());
      std::vector<BundlePart> parts;
      for (const std::int64_t from : gpus) {
        for (const std::int64_t to : gpus) {
          if (domain_of(c.shape, from) != domain_of(c.shape, to)) router.spread(from, to, parts);
        }
      }
      for (const BundlePart& part : parts) routed.add(part.bundle, part.part);
      EXPECT_EQ(counted.loaded(), routed.loaded()) << c.name << " seed " << seed;
      for (const BundleId bundle : routed.loaded()) {
        EXPECT_NEAR(counted[bundle], routed[bundle], 1e-9 * routed[bundle])
            << c.name << " seed " << seed;
      }
    }
  }
}

/// Whether nothing holds up sets that run at once at their caps: the sums of what they demand.
void expect_room(const Topology& topology, const std::vector<CollectiveLoad>& loads,
                 const std::vector<std::int64_t>& caps, const std::string& what) {
  const auto room = capacities(topology);
  std::map<BundleId, double> demanded;
  for (std::size_t i = 0; i < loads.size(); ++i) {
    for (const LinkUse& use : loads[i].uses) {
      demanded[use.bundle] += static_cast<double>(use.weight * caps[i]) / 256.0;
    }
  }
  for (const auto& [bundle, rate] : demanded) {
    EXPECT_LE(rate, static_cast<double>(room[bundle]) * (1.0 + 1e-6)) << what;
    if (rate > static_cast<double>(room[bundle]) * (1.0 + 1e-6)) return;
  }
}

TEST(CollectiveLoad, GroupsThatFillAnOversubscribedClusterHaveTheShareThatTheCostGivesThem) {
  // The static share is in the cost: side by side the groups' flows fit and none is held up.
  const TopologyShape shape = small_clos_shape(512);
  const Topology topology = build_topology(shape);
  const Router router(topology);
  LoadCounter counter(router, capacities(topology));
  for (std::int64_t stride = 1; stride <= 256; stride *= 2) {
    for (std::int64_t ranks = 16; ranks * stride <= 512; ranks *= 2) {
      const Group group =
          with_tiers({.ranks = ranks,
                      .ranks_per_node = std::max<std::int64_t>(1, std::min(ranks, 8 / stride)),
                      .stride = stride},
                     Placement::packed, shape);
      for (const Collective op : {Collective::all_gather, Collective::all_to_all}) {
        const CollectiveCost cost = collective_cost(op, 1_GiB, group, round_network());
        std::vector<CollectiveLoad> loads;
        std::vector<std::int64_t> caps;
        for (std::int64_t first = 0; first < 512; first += ranks * stride) {
          for (std::int64_t offset = 0; offset < stride; ++offset) {
            const Gpus gpus = every(stride, first + offset, ranks);
            const auto rate = payload_rate_max(op, cost.algorithm, group, round_network()).value();
            loads.push_back(counter.count({op, cost.algorithm, gpus, rate}));
            EXPECT_LE(loads.back().demand_max, 1.0 + 1e-9);
            caps.push_back(flow_cap(loads.back(), 1_GiB, cost));
          }
        }
        expect_room(topology, loads, caps, std::to_string(ranks) + " x " + std::to_string(stride));
      }
    }
  }
}

TEST(CollectiveLoad, AWeightAsksForNoMoreThanThereIs) {
  // GPUs 0 and 2 of a cube mesh as two of a switch: one cable, where the cost would have six.
  TopologyShape shape = node_shape(8);
  shape.domain = DomainKind::cube_mesh;
  shape.domain_rate = 25_GBps;
  const Topology topology = build_topology(shape);
  const Router router(topology);
  const BytesPerSecond rate = 300_GBps;
  const auto load = load_of(router, Collective::all_gather, Algorithm::ring, {0, 2}, rate);
  EXPECT_DOUBLE_EQ(load.demand_max, 300.0 / 2.0 / 25.0);
  for (const auto& [bundle, bytes] : bytes_of(load)) {
    EXPECT_LE(bytes * rate.value, 25e9);
    EXPECT_GE(bytes * rate.value, 0.99 * 25e9);
  }
}

TEST(CollectiveLoad, AFixedWayTakesItsFlowAlong) {
  // GPU 0 of a ring over two nodes goes over the adapter of GPU 1.
  TopologyShape shape = node_shape(16);
  shape.adapters = 4;
  const Topology topology = build_topology(shape);
  Router router(topology);
  const Gpus gpus = every(1, 0, 16);
  const VertexId leaf = fabric_switch(topology, 0, 0, 0);
  const auto link = [&](VertexId from, VertexId to) {
    return links_between(topology, from, to, to).front();
  };
  const VertexId here = adapter_vertex(topology, 0, 0);
  const VertexId there = adapter_vertex(topology, 1, 3);
  for (const auto& [op, algorithm] : {std::pair{Collective::all_gather, Algorithm::ring},
                                      std::pair{Collective::all_to_all, Algorithm::direct}}) {
    const Loads before = bytes_of(load_of(Router(topology), op, algorithm, gpus));
    router.fix(0, 8,
               {link(gpu_vertex(0), here), link(here, leaf), link(leaf, there),
                link(there, gpu_vertex(15))});
    const Loads after = bytes_of(load_of(router, op, algorithm, gpus));
    const double flow = op == Collective::all_gather ? 15.0 / 16.0 / 8.0 : 1.0 / 16.0;
    const BundleId to_other = router.between(leaf, there);
    const BundleId to_own = router.between(leaf, adapter_vertex(topology, 1, 0));
    EXPECT_NEAR(after.at(to_other) - before.at(to_other), flow, 1e-3);
    EXPECT_NEAR(before.at(to_own) - after.at(to_own), flow, 1e-3);
    EXPECT_NEAR(sum(after), sum(before), 1e-2);
  }
}

TEST(CollectiveLoad, AreTheSameWhateverWasCountedBefore) {
  const Topology topology = build_topology(small_clos_shape(256));
  const Router router(topology);
  LoadCounter counter(router, capacities(topology));
  const Gpus all = every(1, 0, 256);
  const LoadedCollective ring{Collective::all_reduce, Algorithm::ring, all, {}};
  const CollectiveLoad first = counter.count(ring);
  counter.count({Collective::all_to_all, Algorithm::direct, all, 1_GBps});
  counter.count_message(3, 200, 1_GBps);
  const CollectiveLoad again = counter.count(ring);
  ASSERT_EQ(first.uses.size(), again.uses.size());
  for (std::size_t i = 0; i < first.uses.size(); ++i) {
    EXPECT_EQ(first.uses[i].bundle, again.uses[i].bundle);
    EXPECT_EQ(first.uses[i].weight, again.uses[i].weight);
  }
  EXPECT_EQ(first.flows, again.flows);
  EXPECT_EQ(first.flow_bytes, again.flow_bytes);
}

TEST(CollectiveLoad, WeightsOfTheLargestAllToAllStayBelowTwoToTheThirtieth) {
  const TopologyShape shape = islands_shape(131'072);
  const Topology topology = build_topology(shape);
  const Router router(topology);
  const Gpus all = every(1, 0, 131'072);
  const auto load = load_of(router, Collective::all_to_all, Algorithm::direct, all);
  std::int64_t most = 0;
  for (const LinkUse& use : load.uses) most = std::max(most, use.weight);
  EXPECT_LT(most, std::int64_t{1} << 30);
  EXPECT_EQ(load.flows, 131'072LL * 131'071);
}

TEST(CollectiveLoad, TheStartIsWhatDoesNotGrowWithTheSizeOfARing) {
  const Group group{.ranks = 16, .ranks_per_node = 8};
  const Network network = round_network();
  const auto cost = [&](Bytes size) {
    return collective_cost(Collective::all_gather, size, group, network);
  };
  EXPECT_EQ(cost(1_GiB).start, cost(2_GB).start);
  EXPECT_NEAR(((cost(2_GB).time - cost(2_GB).start) / (cost(1_GB).time - cost(1_GB).start)), 2.0,
              1e-12);
  EXPECT_EQ(collective_cost(Collective::all_gather, 1_GB, {}, network).start, Seconds{});
}

}  // namespace
}  // namespace cubicbench::sim
