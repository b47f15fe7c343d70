// Pipelines with split backward passes: the analytical engine, which plays the order of passes,
// against the event engine, which plays what is in them.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>

#include "sim/engine/analytical.h"
#include "sim/engine/event/event_engine.h"
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

TEST(SplitAgreement, OfAssortedPlans) {
  Workspace workspace;
  const Cluster cluster = roomy_cluster(64);
  int count = 0;
  int far = 0;
  const bool tells = std::getenv("SPLIT_AGREEMENT_TELLS") != nullptr;
  for (const Plan& plan : assorted_plans(600)) {
    if (!splits_backward(plan.schedule)) continue;
    ++count;
    const double found = difference(llama_8b(), plan, cluster, round_stack(), workspace);
    if (std::abs(found) <= 0.01) continue;
    ++far;
    if (tells) {
      std::printf(
          "%+.4f schedule %d p %ld t %ld c %ld mbs %ld sharding %d wrap %ld sync %d reshard %ld "
          "prefetch %d "
          "recompute %d every %ld compile %d\n",
          found, static_cast<int>(plan.schedule), plan.pipeline_parallel, plan.tensor_parallel,
          plan.context_parallel, plan.micro_batch, static_cast<int>(plan.sharding), plan.wrap,
          plan.accumulate_without_sync, plan.reshard_after_forward,
          static_cast<int>(plan.backward_prefetch), static_cast<int>(plan.recompute),
          plan.recompute_every, plan.compile);
    }
  }
  EXPECT_GT(count, 200);
  EXPECT_LE(far, count / 50);
}

}  // namespace
}  // namespace cubicbench::sim
