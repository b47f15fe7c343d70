// Pipelines with split backward passes: the analytical engine, which plays the order of passes,
// against the event engine, which plays what is in them.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/engine/analytical.h"
#include "sim/engine/event/event_engine.h"
#include "sim/plan/plan.h"
#include "tests/sim/fixtures.h"
#include "tests/sim/random_plan.h"

namespace cubicbench::sim {
namespace {

Cluster roomy_cluster(int gpus) {
  Cluster cluster = round_cluster(gpus);
  cluster.device.memory = Bytes{1e18};
  return cluster;
}

/// How much longer the event engine says that a step takes.
double difference(const Transformer& model, const Plan& plan, const Cluster& cluster,
                  const Stack& stack, Workspace& workspace) {
  const StepReport closed = evaluate(model, plan, cluster, stack, workspace);
  if (closed.status != StepStatus::ok) return std::nan("");
  EventOptions options;
  options.contention = false;
  const Seconds played = play(model, plan, cluster, stack, options, workspace).step.step;
  return played / closed.step - 1.0;
}

// FSDP whose weights are gathered once a step, or reduced once, hides a little more or less between
// the chunks of a V than the closed forms of one stage say: up to 2 %.
TEST(SplitAgreement, OfAssortedPlans) {
  constexpr double close = 0.01;
  constexpr double widest = 0.025;
  Workspace workspace;
  const Cluster cluster = roomy_cluster(64);
  int count = 0;
  int far = 0;
  for (const Plan& plan : assorted_plans(800)) {
    if (!splits_backward(plan.schedule)) continue;
    // Whatever the schedule, copies that are reduced in every micro-batch part the engines where a
    // group has one rank a node.
    if (shards_in_groups(plan.sharding) && !plan.accumulate_without_sync) continue;
    ++count;
    const double found = difference(llama_8b(), plan, cluster, round_stack(), workspace);
    EXPECT_LE(std::abs(found), traits(plan.sharding).shards_parameters ? widest : close);
    if (std::abs(found) > close) ++far;
  }
  EXPECT_GT(count, 400);
  EXPECT_LE(far, count * 3 / 100);
}

// Of a message that hides under nothing its sender stands still, in pairs as in single passes: here
// messages take a good part of a step.
TEST(SplitAgreement, OfPairsWhoseSendersStandStill) {
  Workspace workspace;
  Cluster cluster = roomy_cluster(32);  // one replica: nothing but messages leaves a node
  cluster.network.inter_bandwidth = 0.1 * cluster.network.inter_bandwidth;
  for (const Schedule schedule : {Schedule::dualpipe, Schedule::dualpipev}) {
    Plan plan{};
    plan.tensor_parallel = 8;
    plan.sequence_parallel = true;
    plan.pipeline_parallel = 4;
    plan.schedule = schedule;
    plan.global_batch = 64;
    Stack stack = round_stack();
    stack.pipeline_overlap = 1.0;
    const Seconds hidden = evaluate(llama_8b(), plan, cluster, stack, workspace).step;
    stack.pipeline_overlap = 0.0;
    const Seconds shown = evaluate(llama_8b(), plan, cluster, stack, workspace).step;
    EXPECT_GT(shown / hidden, 1.03);
    EXPECT_LE(std::abs(difference(llama_8b(), plan, cluster, stack, workspace)), 1e-3);
  }
}

}  // namespace
}  // namespace cubicbench::sim
