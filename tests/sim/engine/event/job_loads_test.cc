// What counts of the bundles of a job.
#include "sim/engine/event/job_loads.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "tests/sim/engine/event/dice.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

using Carried = std::vector<std::pair<std::size_t, std::int64_t>>;  ///< row and weight

/// Two stages, a rack of two nodes each, with rings in the racks and messages between them.
JobLoads two_racks() {
  Plan plan;
  plan.tensor_parallel = 2;
  plan.pipeline_parallel = 2;
  plan.sharding = Sharding::full_shard;
  Cluster cluster = round_cluster(32);
  cluster.network.fabric = FabricKind::clos;
  cluster.network.tiers[0] = {16, 4.0, 1_us};
  const DeviceMesh mesh = device_mesh(plan, cluster, true);
  StepScript script;
  const auto moving = [](Collective op, Algorithm algorithm) {
    return Transfer{
        .op = op, .algorithm = algorithm, .bytes = Bytes{1e8}, .busy = SimTime{1'000'000'000}};
  };
  script.messages.fill(moving(Collective::send_receive, Algorithm::direct));
  script.transfers = {moving(Collective::all_gather, Algorithm::ring)};
  script.stages.resize(2);
  for (StageScript& stage : script.stages) {
    stage.streams[0] = {{.name = "", .role = Role::shard, .transfer = 0}};
  }
  RoleGroups groups;
  groups[slot(Role::shard)] = mesh.weights.shard;
  groups[slot(Role::forward_edge)] = groups[slot(Role::backward_edge)] = mesh.pipeline;
  return job_loads(job_graph(transformer_shape(plan, cluster, mesh)), script, groups, cluster, {});
}

TEST(JobLoads, CountsOneOfTheBundlesThatCarryTheSame) {
  const JobLoads loads = two_racks();
  std::map<BundleId, Carried> carried;
  for (std::size_t row = 0; row < loads.loads.size(); ++row) {
    for (const LinkUse& use : loads.uses_of(loads.loads[row])) {
      carried[use.bundle].emplace_back(row, use.weight);
    }
  }
  std::set<Carried> all;
  for (const auto& [bundle, uses] : carried) EXPECT_TRUE(all.insert(uses).second);
  // A GPU's cable or its adapter's, out and in; what leaves one rack, which enters the other.
  EXPECT_EQ(all.size(), 2U * 32U + 2U);
}

/// Random sets on bundles, each of which has another one or two behind it, as tight or less.
void expect_same_rates_behind(std::uint64_t seed) {
  SCOPED_TRACE(seed);
  Dice dice(seed);
  constexpr std::size_t bundles = 12;
  IdVector<BundleId, std::int64_t> once(bundles);
  IdVector<BundleId, std::int64_t> behind(3 * bundles);
  for (std::size_t i = 0; i < bundles; ++i) {
    const std::int64_t capacity = 1 + dice.below(dice.once_in(3) ? 50 : 1'000'000);
    once[id_at<BundleId>(i)] = capacity;
    for (std::size_t copy = 0; copy < 3; ++copy) {
      const std::int64_t more = copy == 0 || dice.once_in(2) ? 0 : dice.below(capacity);
      behind[id_at<BundleId>(i + copy * bundles)] = capacity + more;
    }
  }
  LinkSharing few(once);
  LinkSharing many(behind);
  std::vector<FlowSetId> sets;
  for (int set = 0; set < 20; ++set) {
    std::vector<LinkUse> uses;
    std::vector<LinkUse> all;
    for (std::size_t i = 0; i < bundles; ++i) {
      if (!dice.once_in(4)) continue;
      const std::int64_t weight = 1 + dice.below(400);
      uses.push_back({id_at<BundleId>(i), weight});
      for (std::size_t copy = 0; copy < 3; ++copy) {
        all.push_back({id_at<BundleId>(i + copy * bundles), weight});
      }
    }
    const std::int64_t cap = 1 + dice.below(1'000'000);
    sets.push_back(few.add(uses, cap));
    ASSERT_EQ(many.add(all, cap), sets.back());
  }
  for (int step = 0; step < 60; ++step) {
    const FlowSetId set = sets[static_cast<std::size_t>(dice.below(std::ssize(sets)))];
    const bool active = few.active(set);
    for (LinkSharing* sharing : {&few, &many}) active ? sharing->stop(set) : sharing->start(set);
    const auto changed = few.settle();
    const auto changed_too = many.settle();
    ASSERT_EQ(std::vector(changed.begin(), changed.end()),
              std::vector(changed_too.begin(), changed_too.end()));
    for (const FlowSetId other : sets) ASSERT_EQ(few.rate(other), many.rate(other)) << step;
  }
}

TEST(JobLoads, BundlesBehindTighterOnesHoldNobodyUp) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) expect_same_rates_behind(seed);
}

}  // namespace
}  // namespace cubicbench::sim
