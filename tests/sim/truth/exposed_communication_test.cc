#include <gtest/gtest.h>

#include "sim/truth/job.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

constexpr Group in_a_node{.ranks = 8, .ranks_per_node = 8};
constexpr Group over_two_nodes{.ranks = 16, .ranks_per_node = 8};

Transmission sent(StepItem term, const Group& group, double time) {
  Transmission one;
  one.term = term;
  one.group = group;
  one.time = Seconds{time};
  return one;
}

double& term(ItemisedStep& step, StepItem id) {
  return step.terms[static_cast<std::size_t>(id)].value;
}
double& part(StepReport& report, StepPart id) {
  return report.parts[static_cast<std::size_t>(id)].value;
}

TEST(ExposedBetweenNodes, CountsWhatGroupsThatLeaveTheirNodeExpose) {
  ItemisedStep step;
  term(step, StepItem::tensor_communication) = 4.0;
  term(step, StepItem::weight_gathers) = 2.0;
  term(step, StepItem::gradient_reductions) = 6.0;
  term(step, StepItem::gemm) = 100.0;
  step.transmissions = {sent(StepItem::tensor_communication, in_a_node, 5.0),
                        sent(StepItem::weight_gathers, in_a_node, 30.0),
                        sent(StepItem::gradient_reductions, in_a_node, 1.0),
                        sent(StepItem::gradient_reductions, over_two_nodes, 3.0)};
  StepReport report;
  part(report, StepPart::gemm) = 100.0;
  part(report, StepPart::tensor_communication) = 4.0;
  part(report, StepPart::data_communication) = 8.0;
  // Of reductions three quarters of 6.
  EXPECT_DOUBLE_EQ(exposed_between_nodes(report, step).value, 4.5);
  // By another engine, in the same proportion.
  part(report, StepPart::data_communication) = 16.0;
  EXPECT_DOUBLE_EQ(exposed_between_nodes(report, step).value, 9.0);
  step.transmissions.push_back(sent(StepItem::tensor_communication, over_two_nodes, 15.0));
  EXPECT_DOUBLE_EQ(exposed_between_nodes(report, step).value, 12.0);
}

/// What a step exposes between nodes and in all of weights' traffic.
struct Exposed {
  double between = 0.0;
  double data = 0.0;
  double reductions = 0.0;
};

Exposed exposed(const Plan& plan, int gpus, bool stages_outermost = true) {
  Stack stack = round_stack();
  stack.stages_outermost = stages_outermost;
  Cluster cluster = round_cluster(gpus);
  cluster.device.memory = Bytes{1e15};
  Workspace workspace;
  ItemisedStep step = itemised_step(llama_8b(), plan, cluster, stack, workspace);
  EXPECT_EQ(step.report.status, StepStatus::ok);
  return {.between = exposed_between_nodes(step.report, step).value,
          .data = part(step.report, StepPart::data_communication),
          .reductions = term(step, StepItem::gradient_reductions)};
}

TEST(ExposedBetweenNodes, LeavesOutWhatHybridShardingDoesInANode) {
  Plan plan{.global_batch = 32, .sharding = Sharding::full_shard};
  const Exposed whole = exposed(plan, 16);
  EXPECT_GT(whole.data, 0.0);
  EXPECT_DOUBLE_EQ(whole.between, whole.data);
  plan.sharding = Sharding::hybrid_shard;
  plan.shard_group = 8;
  const Exposed hybrid = exposed(plan, 16);
  EXPECT_GT(hybrid.between, 0.0);
  EXPECT_LT(hybrid.between, hybrid.reductions);
  EXPECT_LT(hybrid.reductions, hybrid.data);
  EXPECT_DOUBLE_EQ(exposed(plan, 8).between, 0.0);
}

TEST(ExposedBetweenNodes, LeavesOutStagesThatShareANode) {
  Plan plan{.pipeline_parallel = 4, .global_batch = 32, .sharding = Sharding::full_shard};
  const Exposed inside = exposed(plan, 16, false);  // stages are one GPU apart
  EXPECT_DOUBLE_EQ(inside.between, inside.data);
  plan.tensor_parallel = 8;  // and now a node
  plan.global_batch = 8;
  const Exposed across = exposed(plan, 32);
  EXPECT_GT(across.between, across.data);
}

}  // namespace
}  // namespace cubicbench::sim
