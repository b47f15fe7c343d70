#include <gtest/gtest.h>

#include "sim/engine/analytical.h"
#include "sim/engine/weight_time.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

/// Ranks one a node, of which `wait_us` each is waited for, and a network that takes no time.
Seconds once_a_step(bool zero1, std::int64_t ranks, Seconds latency, Seconds slow) {
  Cluster cluster = round_cluster(8);
  cluster.network.intra_bandwidth = BytesPerSecond{1e30};
  cluster.network.inter_bandwidth = BytesPerSecond{1e30};
  cluster.network.inter_delay = 0.0;
  cluster.state.collective_wait = slow;
  Stack stack = round_stack();
  stack.latency_per_rank = latency;
  stack.data_overlap = 0.0;
  stack.zero1_overlap = 0.0;
  const Group group{.ranks = ranks, .ranks_per_node = 1};
  WeightGroups groups{};
  groups.replica = group;
  groups.shard = zero1 ? group : Group{};
  groups.replicate = Group{};
  const Plan plan{.accumulate_without_sync = true};
  const WeightTraffic traffic =
      weight_traffic(zero1 ? Sharding::zero1 : Sharding::no_shard, plan, groups);
  WeightUnits weights;
  weights.parameters = 1000.0;
  weights.unit_parameters = 1000.0;
  weights.last_parameters = 1000.0;
  weights.layers = 28.0;
  const WeightCost cost = weight_cost({traffic, weights, groups}, 1.0, cluster, stack);
  const WeightTime time =
      weight_time(traffic, weights, cost, {.forward = 1_s, .backward = 1_s}, stack);
  return time.begin + time.last + time.end;
}

TEST(GroupWait, OfGradientsIsOnceALayerAndOfGatheredWeightsOnceAStep) {
  EXPECT_NEAR(once_a_step(false, 16, 40_us, {}).value, 28 * 16 * 40e-6, 1e-12);
  EXPECT_NEAR(once_a_step(true, 16, 40_us, {}).value, (28 + 1) * 16 * 40e-6, 1e-12);
}

TEST(GroupWait, OfRanksThatKeepEachOtherWaitingIsOfEachScatterAndGather) {
  EXPECT_NEAR(once_a_step(false, 16, {}, 100_us).value, 2 * 28 * 16 * 100e-6, 1e-12);
  EXPECT_NEAR(once_a_step(true, 16, {}, 100_us).value, (28 + 1) * 16 * 100e-6, 1e-12);
}

TEST(GroupWait, OfTensorRanksIsOnTheGpuAndNotUnderLaunches) {
  Plan plan = round_plan();
  plan.pipeline_parallel = 1;
  plan.tensor_parallel = 16;
  plan.sharding = Sharding::no_shard;
  Cluster cluster = round_cluster(16);
  cluster.device.memory = Bytes{1e18};
  Stack stack = round_stack();
  stack.host_layer_forward = {};
  Workspace workspace;
  const auto step = [&](Seconds latency) {
    stack.latency_per_rank = latency;
    return evaluate(llama_8b(), plan, cluster, stack, workspace);
  };
  const StepReport none = step({});
  const StepReport some = step(50_us);
  // Ten halves a layer, and at the ends two of the embedding and three of the head.
  const double each = 16 * 50e-6;
  const double longer = (some.step - none.step).value / none.micro_batches;
  EXPECT_GE(longer, 32 * 10 * each);
  EXPECT_LE(longer, (32 * 10 + 8) * each);
}

}  // namespace
}  // namespace cubicbench::sim
