#include <gtest/gtest.h>

#include <cstdint>

#include "sim/engine/block_cost.h"
#include "sim/program/lower_transformer.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

PassTimes times_of(const Plan& plan, const Cluster& cluster, const Stack& stack) {
  StepProgram program;
  lower(llama_8b(), plan, cluster, stack, program);
  return pass_times(program, plan, cluster, stack);
}

Plan across(std::int64_t tensor_parallel) {
  Plan plan{};
  plan.tensor_parallel = tensor_parallel;
  plan.sequence_parallel = true;
  plan.global_batch = 64;
  return plan;
}

TEST(PassTimes, HostsInASlowNetworkLaunchSlower) {
  Cluster cluster = round_cluster(64);
  const Stack stack = round_stack();
  EXPECT_EQ(times_of(across(4), cluster, stack).layer_host, 1_ms);
  cluster.state.launch_wait = 1_ms;
  // One layer's launches and a millisecond a rank of the tensor-parallel group.
  EXPECT_DOUBLE_EQ(times_of(across(4), cluster, stack).layer_host.value, 5e-3);
  EXPECT_EQ(times_of(across(1), cluster, stack).layer_host, 1_ms);
}

TEST(PassTimes, CollectivesBetweenNodesCountUnlessHostsWait) {
  Cluster cluster = round_cluster(64);
  const Stack stack = round_stack();
  const PassTimes in_order = times_of(across(16), cluster, stack);
  cluster.state.launch_wait = 1_ms;
  const PassTimes slow = times_of(across(16), cluster, stack);
  EXPECT_LT(slow.layer_forward, in_order.layer_forward);
  EXPECT_LT(slow.layer_backward, in_order.layer_backward);
  // Inside a node they are the device's in both.
  EXPECT_EQ(times_of(across(8), cluster, stack).layer_forward,
            times_of(across(8), round_cluster(64), stack).layer_forward);
}

TEST(PassTimes, PartsThatAreRecomputedAreTheBackwardPasssAndWholeLayersAForwardPass) {
  const Cluster cluster = round_cluster(64);
  const Stack stack = round_stack();
  Plan plan = across(1);
  const PassTimes kept = times_of(plan, cluster, stack);
  plan.recompute = Recompute::full;
  const PassTimes again = times_of(plan, cluster, stack);
  EXPECT_EQ(again, kept);
  plan.recompute = Recompute::per_op;
  const PassTimes parts = times_of(plan, cluster, stack);
  EXPECT_EQ(parts.layer_forward, kept.layer_forward);
  EXPECT_GT(parts.layer_backward, kept.layer_backward);
  EXPECT_LT(parts.layer_backward, kept.layer_backward + kept.layer_forward);
}

}  // namespace
}  // namespace cubicbench::sim
