#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "sim/network/placement.h"
#include "sim/network/router.h"
#include "sim/network/topologies.h"
#include "tests/sim/network/shapes.h"

namespace cubicbench::sim {
namespace {

using Gpus = std::vector<std::int64_t>;

Group spread_over(std::int64_t ranks, std::int64_t stride) {
  return {.ranks = ranks, .stride = stride};
}

struct ShareCase {
  const char* name;
  Group group;
  double ring;
  double all_to_all;
};

TEST(TierShares, Llama3ByHand) {
  // Blocks of 3,072 GPUs whose uplinks carry 438.9 adapters. 16,384 GPUs are six pods.
  const TopologyShape shape = llama3_shape(16'384);
  for (const ShareCase& c :
       {ShareCase{"tensor group in a node", spread_over(8, 1), 1.0, 1.0},
        ShareCase{"inside a pod", spread_over(16, 8), 1.0, 1.0},
        ShareCase{"one ring over everything leaves each pod once, on a node's adapters",
                  spread_over(16384, 1), 1.0,
                  438.857142857 / (3072.0 * (16384.0 - 3072.0) / (16384.0 - 8.0))},
        ShareCase{"data groups of 128, stride 128: as many rings, one adapter each",
                  spread_over(128, 128), 1.0,
                  438.857142857 / (3072.0 * (128.0 - 24.0) / (128.0 - 1.0))},
        ShareCase{"stride 1,024: more rings than uplinks", spread_over(16, 1024),
                  438.857142857 / 1024.0,
                  438.857142857 / (3072.0 * (16.0 - 3.0) / (16.0 - 1.0))}}) {
    const Group group = with_tiers(c.group, Placement::packed, shape);
    EXPECT_NEAR(group.ring_share, c.ring, 1e-9) << c.name;
    EXPECT_NEAR(group.all_to_all_share, c.all_to_all, 1e-9) << c.name;
  }
}

TEST(TierShares, LatenciesByHand) {
  // Racks of 2 nodes add 1 us to every second step of a ring; pods of 384 nodes 2 us to one in 384.
  const TopologyShape shape = llama3_shape(16'384);
  const Group all = with_tiers(spread_over(16'384, 1), Placement::packed, shape);
  EXPECT_NEAR(all.ring_hop.value, 0.5e-6 + 2e-6 * 6.0 / 2048.0, 1e-15);
  // 2,048 nodes are 11 levels of a tree, 10 of which leave the rack and 3 the pod.
  EXPECT_NEAR(all.tree_hop.value, 1e-6 * 10.0 / 11.0 + 2e-6 * 3.0 / 11.0, 1e-15);
  EXPECT_EQ(with_tiers(spread_over(8, 1), Placement::packed, shape), spread_over(8, 1));
  EXPECT_EQ(with_tiers(spread_over(1, 1), Placement::packed, shape), spread_over(1, 1));
}

TEST(TierShares, NothingIsLostWithoutOversubscription) {
  for (const Placement placement :
       {Placement::packed, Placement::scattered, Placement::partly_used}) {
    for (std::int64_t stride = 1; stride <= 2048; stride *= 2) {
      const Group group = with_tiers(spread_over(8, stride), placement, superpod_shape(16'384));
      EXPECT_EQ(group.ring_share, 1.0);
      EXPECT_EQ(group.all_to_all_share, 1.0);
    }
  }
}

// ---- the graph ---------------------------------------------------------------------------------

/// Traffic that goes on all the time, at `demand` if nothing holds it up.
struct SteadyFlow {
  std::vector<BundlePart> parts;
  BytesPerSecond demand;
};

/// Flows that all run at once, and what they leave each other: of its demand a flow keeps the
/// least, over the bundles that it passes, of rate over the sum of what is demanded; at most 1.
class SteadyFlows {
 public:
  explicit SteadyFlows(const Topology& topology)
      : topology_(topology), router_(topology), loads_(topology.bundles.size()) {}

  /// Of the groups that fill `gpus`, rank by rank.
  template <class AddFlows>
  void add_groups(const Gpus& gpus, const Group& spread, AddFlows add_flows) {
    const auto ranks = static_cast<std::int64_t>(gpus.size());
    for (std::int64_t first = 0; first < ranks; first += spread.ranks * spread.stride) {
      for (std::int64_t offset = 0; offset < spread.stride; ++offset) {
        Gpus group;
        for (std::int64_t i = 0; i < spread.ranks; ++i) {
          group.push_back(gpus[static_cast<std::size_t>(first + offset + i * spread.stride)]);
        }
        add_flows(*this, group);
      }
    }
  }

  void add(std::int64_t from, std::int64_t to, BytesPerSecond demand) {
    SteadyFlow& flow = flows_.emplace_back(SteadyFlow{{}, demand});
    router_.spread(from, to, flow.parts);
    for (const BundlePart& part : flow.parts) loads_[part.bundle] += part.part * demand;
  }

  const TopologyShape& shape() const { return topology_.shape; }
  const std::vector<SteadyFlow>& all() const { return flows_; }

  double share(const SteadyFlow& flow) const {
    double kept = 1.0;
    for (const BundlePart& part : flow.parts) {
      kept = std::min(kept, topology_.bundles[part.bundle] / loads_[part.bundle]);
    }
    return kept;
  }
  double least() const {
    double least = 1.0;
    for (const SteadyFlow& flow : flows_) least = std::min(least, share(flow));
    return least;
  }

 private:
  const Topology& topology_;
  Router router_;
  IdVector<BundleId, BytesPerSecond> loads_;
  std::vector<SteadyFlow> flows_;
};

/// A large ring: between domains member i of one sends to member i of the next at the rate of its
/// adapter; inside, each to the next at the rate of its links.
void add_ring(SteadyFlows& flows, const Gpus& group) {
  const std::vector<DomainRun> runs = domain_runs(flows.shape(), group);
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const DomainRun& here = runs[k];
    const DomainRun& next = runs[(k + 1) % runs.size()];
    for (std::size_t i = 0; i < here.size; ++i) {
      const std::int64_t from = group[here.first + i];
      if (here.size > 1) {
        flows.add(from, group[here.first + (i + 1) % here.size], flows.shape().domain_rate);
      }
      if (runs.size() > 1) {
        flows.add(from, group[next.first + i % next.size], flows.shape().adapter_rate);
      }
    }
  }
}

/// A large all-to-all: every adapter divides its rate among the members of other domains, every GPU
/// that of its links among those of its own.
void add_all_to_all(SteadyFlows& flows, const Gpus& group) {
  for (const DomainRun& run : domain_runs(flows.shape(), group)) {
    const auto near = static_cast<double>(run.size - 1);
    const auto far = static_cast<double>(group.size() - run.size);
    for (std::size_t i = run.first; i < run.first + run.size; ++i) {
      for (std::size_t j = 0; j < group.size(); ++j) {
        const bool is_near = j >= run.first && j < run.first + run.size;
        if (i != j) {
          flows.add(group[i], group[j],
                    is_near ? flows.shape().domain_rate / near : flows.shape().adapter_rate / far);
        }
      }
    }
  }
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
  const auto graph_share = [&](const Group& spread, auto add_flows) {
    SteadyFlows flows(topology);
    flows.add_groups(packed, spread, add_flows);
    return flows.least();
  };
  for (std::int64_t stride = 1; stride <= 256; stride *= 2) {
    for (std::int64_t ranks = 2; ranks * stride <= 512; ranks *= 2) {
      const Group spread = spread_over(ranks, stride);
      const Group group = with_tiers(spread, Placement::packed, shape);
      EXPECT_NEAR(group.ring_share, graph_share(spread, add_ring), 1e-9)
          << ranks << " x " << stride;
      EXPECT_NEAR(group.all_to_all_share, graph_share(spread, add_all_to_all), 1e-9)
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
  for (const Group& spread :
       {spread_over(64, 8), spread_over(8, 64), spread_over(4, 128), spread_over(512, 1)}) {
    SteadyFlows flows(topology);
    flows.add_groups(job, spread, add_ring);
    flows.add_groups(others(cluster, job), spread, add_ring);
    const double closed =
        with_tiers(spread, Placement::partly_used, small_clos_shape(512)).ring_share;
    EXPECT_NEAR(closed, flows.least(), 1e-9) << spread.ranks << " x " << spread.stride;
  }
}

TEST(TierShares, AgreeWithADragonflyWhoseTrafficIsSpread) {
  // Traffic between groups also passes through switches at both ends, some more than others.
  const TopologyShape shape = dragonfly_shape(1'024);
  const Topology topology = build_topology(shape);
  const Gpus packed = place(Placement::packed, 1'024, shape, 1);
  for (const Group& spread : {spread_over(4, 1), spread_over(16, 8), spread_over(128, 8),
                              spread_over(16, 64), spread_over(8, 128), spread_over(4, 256)}) {
    SteadyFlows flows(topology);
    flows.add_groups(packed, spread, add_ring);
    EXPECT_NEAR(with_tiers(spread, Placement::packed, shape).ring_share, flows.least(), 0.05)
        << spread.ranks << " x " << spread.stride;
  }
}

TEST(TierShares, AreTheMeanOfScatteredJobs) {
  // Two scattered jobs fill the cluster. Some blocks of the graph are worse than the mean.
  const TopologyShape cluster = small_clos_shape(1'024);
  const Topology topology = build_topology(cluster);
  const Group spread = spread_over(64, 8);
  double sum = 0.0;
  double worst = 0.0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Gpus all = place(Placement::scattered, 1'024, cluster, seed);
    SteadyFlows flows(topology);
    for (const std::ptrdiff_t first : {0, 512}) {
      flows.add_groups(Gpus(all.begin() + first, all.begin() + first + 512), spread, add_ring);
    }
    worst += flows.least() / 10.0;
    double all_flows = 0.0;
    double held_up = 0.0;
    for (const SteadyFlow& flow : flows.all()) {
      if (flow.parts.size() < 8) continue;  // stays in its pod
      all_flows += 1.0;
      held_up += flows.share(flow);
    }
    sum += held_up / all_flows / 10.0;
  }
  // q = 1 - 15 / 127 leave a pod whose uplinks carry a seventh.
  const double closed = with_tiers(spread, Placement::scattered, small_clos_shape(512)).ring_share;
  EXPECT_NEAR(closed, 1.0 / (7.0 * 112.0 / 127.0), 1e-12);
  EXPECT_NEAR(sum, closed, 0.05 * closed);
  EXPECT_LT(worst, closed);
  EXPECT_GT(worst, 0.8 * closed);
}

}  // namespace
}  // namespace cubicbench::sim
