#include "sim/network/static_share.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "sim/network/placement.h"
#include "sim/network/tier_shares.h"
#include "sim/network/topologies.h"
#include "tests/sim/network/shapes.h"

namespace cubicbench::sim {
namespace {

using Gpus = std::vector<std::int64_t>;

void append(std::vector<SteadyFlow>& all, const std::vector<SteadyFlow>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

double least(const std::vector<double>& shares) {
  return *std::min_element(shares.begin(), shares.end());
}

TEST(StaticShare, GroupsInOneNvSwitchDomainDoNotShare) {
  TopologyShape shape = node_shape(72);
  shape.domain_gpus = 72;
  shape.adapters = 72;
  const Topology topology = build_topology(shape);
  for (const std::int64_t size : {4, 8, 12, 36}) {
    std::vector<SteadyFlow> flows;
    for (std::int64_t first = 0; first < 72; first += size) {
      Gpus group;
      for (std::int64_t i = 0; i < size; ++i) group.push_back(first + i);
      append(flows, ring_flows(topology, group));
    }
    EXPECT_EQ(least(static_shares(topology, flows, Spreading::hashed)), 1.0) << size;
  }
}

TEST(StaticShare, GroupsOnTheSameAdapterShareIt) {
  TopologyShape shape = node_shape(16);
  shape.adapters = 4;
  shape.adapter_rate = 25_GBps;  // four of 50 for eight GPUs
  const Topology topology = build_topology(shape);
  const auto shares = [&](std::int64_t other) {
    std::vector<SteadyFlow> flows;
    for (const std::int64_t gpu : {std::int64_t{0}, other}) {
      // A group with one member a node could use the whole adapter.
      flows.push_back({route(topology, {.from = gpu, .to = gpu + 8}), 50_GBps});
    }
    return least(static_shares(topology, flows, Spreading::hashed));
  };
  EXPECT_EQ(shares(1), 0.5);
  EXPECT_EQ(shares(2), 1.0);
}

TEST(StaticShare, FlowsThatHashToOneCableShareIt) {
  const Topology topology = build_topology(superpod_shape(512));
  std::vector<SteadyFlow> flows;
  for (std::int64_t node = 0; node < 32; ++node) {
    flows.push_back(
        {route(topology,
               {.from = 8 * node, .to = 8 * node + 256, .flow = static_cast<std::uint64_t>(node)}),
         50_GBps});
  }
  // 32 flows over the 32 uplinks of leaf 0: by hash some meet, spread evenly all fit.
  EXPECT_LE(least(static_shares(topology, flows, Spreading::hashed)), 0.5);
  EXPECT_EQ(least(static_shares(topology, flows, Spreading::even)), 1.0);
}

TEST(StaticShare, IsRateOverDemandOfTheNarrowestLink) {
  // 256 adapters of 50 send out of an island whose uplink carries 5,120: 0.4 each. One that stays
  // inside keeps all.
  const Topology topology = build_topology(islands_shape(1'024));
  std::vector<SteadyFlow> flows{{route(topology, {.from = 500, .to = 400}), 50_GBps}};
  for (std::int64_t gpu = 0; gpu < 256; ++gpu) {
    flows.push_back({route(topology, {.from = gpu, .to = gpu + 512}), 50_GBps});
  }
  const std::vector<double> shares = static_shares(topology, flows, Spreading::hashed);
  EXPECT_EQ(shares[0], 1.0);
  for (std::size_t i = 1; i < shares.size(); ++i) EXPECT_DOUBLE_EQ(shares[i], 5'120.0 / 12'800.0);
}

// ---- the closed form ---------------------------------------------------------------------------

struct ShareCase {
  const char* name;
  GroupSpread groups;
  double ring;
  double all_to_all;
};

TEST(TierShares, Llama3ByHand) {
  // Blocks of 3,072 GPUs whose uplinks carry 438.9 adapters. 16,384 GPUs are six pods.
  const TopologyShape shape = llama3_shape(16'384);
  for (const ShareCase& c :
       {ShareCase{"tensor group in a node", {8, 1}, 1.0, 1.0},
        ShareCase{"inside a pod", {16, 8}, 1.0, 1.0},
        ShareCase{"one ring over everything leaves each pod once, on a node's adapters",
                  {16384, 1},
                  1.0,
                  438.857142857 / (3072.0 * (16384.0 - 3072.0) / (16384.0 - 8.0))},
        ShareCase{"data groups of 128, stride 128: as many rings, one adapter each",
                  {128, 128},
                  1.0,
                  438.857142857 / (3072.0 * (128.0 - 24.0) / (128.0 - 1.0))},
        ShareCase{"stride 1,024: more rings than uplinks",
                  {16, 1024},
                  438.857142857 / 1024.0,
                  438.857142857 / (3072.0 * (16.0 - 3.0) / (16.0 - 1.0))}}) {
    const TierShares shares = tier_shares(c.groups, Placement::packed, shape);
    EXPECT_NEAR(shares.ring, c.ring, 1e-9) << c.name;
    EXPECT_NEAR(shares.all_to_all, c.all_to_all, 1e-9) << c.name;
  }
}

TEST(TierShares, LatenciesByHand) {
  // Racks of 2 nodes add 1 us to every second step of a ring; pods of 384 nodes 2 us to one in 384.
  const TopologyShape shape = llama3_shape(16'384);
  const TierShares all = tier_shares({16'384, 1}, Placement::packed, shape);
  EXPECT_NEAR(all.ring_hop.value, 0.5e-6 + 2e-6 * 6.0 / 2048.0, 1e-15);
  // 2,048 nodes are 11 levels of a tree, 10 of which leave the rack and 3 the pod.
  EXPECT_NEAR(all.tree_hop.value, 1e-6 * 10.0 / 11.0 + 2e-6 * 3.0 / 11.0, 1e-15);
  EXPECT_EQ(tier_shares({8, 1}, Placement::packed, shape), TierShares{});
  EXPECT_EQ(tier_shares({1, 1}, Placement::packed, shape), TierShares{});
}

TEST(TierShares, NothingIsLostWithoutOversubscription) {
  for (const Placement placement :
       {Placement::packed, Placement::scattered, Placement::partly_used}) {
    for (std::int64_t stride = 1; stride <= 2048; stride *= 2) {
      const TierShares shares = tier_shares({8, stride}, placement, superpod_shape(16'384));
      EXPECT_EQ(shares.ring, 1.0);
      EXPECT_EQ(shares.all_to_all, 1.0);
    }
  }
}

/// The flows of the groups that fill `gpus`, rank by rank.
template <class Flows>
std::vector<SteadyFlow> flows_of_groups(const Topology& topology, const Gpus& gpus,
                                        const GroupSpread& spread, Flows flows_of) {
  std::vector<SteadyFlow> flows;
  const auto ranks = static_cast<std::int64_t>(gpus.size());
  for (std::int64_t first = 0; first < ranks; first += spread.ranks * spread.stride) {
    for (std::int64_t offset = 0; offset < spread.stride; ++offset) {
      Gpus group;
      for (std::int64_t i = 0; i < spread.ranks; ++i) {
        group.push_back(gpus[static_cast<std::size_t>(first + offset + i * spread.stride)]);
      }
      append(flows, flows_of(topology, group));
    }
  }
  return flows;
}

/// GPUs of a cluster that `job` does not hold, in order.
Gpus others(const TopologyShape& cluster, const Gpus& job) {
  Gpus rest;
  for (std::int64_t gpu = 0; gpu < cluster.gpus; ++gpu) {
    if (std::find(job.begin(), job.end(), gpu) == job.end()) rest.push_back(gpu);
  }
  return rest;
}

TEST(TierShares, AgreeWithTheGraph) {
  const TopologyShape shape = small_clos_shape(512);
  const Topology topology = build_topology(shape);
  const Gpus packed = place(Placement::packed, 512, shape, 1);
  const auto graph_share = [&](const GroupSpread& spread, auto flows_of) {
    return least(static_shares(topology, flows_of_groups(topology, packed, spread, flows_of),
                               Spreading::even));
  };
  for (std::int64_t stride = 1; stride <= 256; stride *= 2) {
    for (std::int64_t ranks = 2; ranks * stride <= 512; ranks *= 2) {
      const GroupSpread spread{ranks, stride};
      const TierShares shares = tier_shares(spread, Placement::packed, shape);
      EXPECT_NEAR(shares.ring, graph_share(spread, ring_flows), 1e-9) << ranks << " x " << stride;
      EXPECT_NEAR(shares.all_to_all, graph_share(spread, all_to_all_flows), 1e-9)
          << ranks << " x " << stride;
    }
  }
}

TEST(TierShares, AgreeWithAPartlyUsedGraph) {
  // One node of each rack and eight of each pod are the job's; another job has the others.
  const TopologyShape cluster = small_clos_shape(1'024);
  const Topology topology = build_topology(cluster);
  Gpus job;
  for (std::int64_t gpu = 0; gpu < cluster.gpus; ++gpu) {
    if (gpu / 8 % 2 == 0) job.push_back(gpu);
  }
  for (const GroupSpread& spread :
       {GroupSpread{64, 8}, GroupSpread{8, 64}, GroupSpread{4, 128}, GroupSpread{512, 1}}) {
    std::vector<SteadyFlow> flows = flows_of_groups(topology, job, spread, ring_flows);
    append(flows, flows_of_groups(topology, others(cluster, job), spread, ring_flows));
    const double closed = tier_shares(spread, Placement::partly_used, small_clos_shape(512)).ring;
    EXPECT_NEAR(closed, least(static_shares(topology, flows, Spreading::even)), 1e-9)
        << spread.ranks << " x " << spread.stride;
  }
}

TEST(TierShares, AgreeWithADragonflyWhoseTrafficIsSpread) {
  // Traffic between groups also passes through switches at both ends, some more than others.
  const TopologyShape shape = dragonfly_shape(1'024);
  const Topology topology = build_topology(shape);
  const Gpus packed = place(Placement::packed, 1'024, shape, 1);
  for (const GroupSpread& spread :
       {GroupSpread{4, 1}, GroupSpread{16, 8}, GroupSpread{128, 8}, GroupSpread{16, 64},
        GroupSpread{8, 128}, GroupSpread{4, 256}}) {
    const auto flows = flows_of_groups(topology, packed, spread, ring_flows);
    EXPECT_NEAR(tier_shares(spread, Placement::packed, shape).ring,
                least(static_shares(topology, flows, Spreading::even)), 0.05)
        << spread.ranks << " x " << spread.stride;
    // A ring of groups uses few of the cables that a minimal route knows.
    if (spread.stride < 64) continue;
    EXPECT_LT(least(static_shares(topology, flows, Spreading::hashed)), 0.3);
  }
}

TEST(TierShares, AreTheMeanOfScatteredJobs) {
  // Two scattered jobs fill the cluster. Some blocks of the graph are worse than the mean.
  const TopologyShape cluster = small_clos_shape(1'024);
  const Topology topology = build_topology(cluster);
  const GroupSpread spread{64, 8};
  double sum = 0.0;
  double worst = 0.0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Gpus all = place(Placement::scattered, 1'024, cluster, seed);
    std::vector<SteadyFlow> flows;
    for (const std::ptrdiff_t first : {0, 512}) {
      const Gpus job(all.begin() + first, all.begin() + first + 512);
      append(flows, flows_of_groups(topology, job, spread, ring_flows));
    }
    const std::vector<double> shares = static_shares(topology, flows, Spreading::even);
    worst += least(shares) / 10.0;
    double all_flows = 0.0;
    double held_up = 0.0;
    for (std::size_t i = 0; i < flows.size(); ++i) {
      if (flows[i].route.size() < 8) continue;  // stays in its pod
      all_flows += 1.0;
      held_up += shares[i];
    }
    sum += held_up / all_flows / 10.0;
  }
  // q = 1 - 15 / 127 leave a pod whose uplinks carry a seventh.
  const double closed = tier_shares(spread, Placement::scattered, small_clos_shape(512)).ring;
  EXPECT_NEAR(closed, 1.0 / (7.0 * 112.0 / 127.0), 1e-12);
  EXPECT_NEAR(sum, closed, 0.05 * closed);
  EXPECT_LT(worst, closed);
  EXPECT_GT(worst, 0.8 * closed);
}

}  // namespace
}  // namespace cubicbench::sim
