#include "sim/engine/least_step.h"

#include <gtest/gtest.h>

#include <array>

#include "sim/engine/analytical.h"
#include "sim/program/lower_transformer.h"
#include "tests/sim/fixtures.h"
#include "tests/sim/random_plan.h"

namespace cubicbench::sim {
namespace {

constexpr std::array schedules{Schedule::gpipe,    Schedule::one_f_one_b, Schedule::interleaved,
                               Schedule::zb_h1,    Schedule::zb_h2,       Schedule::zb_v,
                               Schedule::v_half,   Schedule::v_min,       Schedule::dualpipe,
                               Schedule::dualpipev};

TEST(LeastStep, IsNoMoreThanTheStepAndMostOfMany) {
  Cluster cluster = round_cluster(64);
  cluster.device.memory = Bytes{1e15};
  const Transformer model = llama_8b();
  const Stack stack = round_stack();
  Workspace workspace;
  int count = 0;
  int close = 0;
  for (Plan plan : assorted_plans(400)) {
    for (const Schedule schedule : schedules) {
      plan.schedule = schedule;
      const StepReport report = evaluate(model, plan, cluster, stack, workspace);
      if (report.status != StepStatus::ok) continue;
      lower(model, plan, cluster, stack, workspace.program);
      const BlockCosts blocks = block_costs(workspace.program, {cluster, stack, plan});
      const Seconds least = least_step(workspace.program, blocks, plan);
      EXPECT_LE(least, report.step) << static_cast<int>(schedule);
      ++count;
      if (least > 0.5 * report.step) ++close;
    }
  }
  EXPECT_GT(count, 400);
  EXPECT_GT(close, count / 10);
}

}  // namespace
}  // namespace cubicbench::sim
