#include "scenarios/stage_memory.h"

#include <gtest/gtest.h>

#include "scenarios/evaluate.h"
#include "scenarios/scenario_reader.h"

namespace cubicbench::scenarios {
namespace {

TEST(StageMemory, OfTheLargestIsWhatEvaluateReports) {
  for (const char* name : {"llama3-405b", "tiny-gpt", "ads-73b"}) {
    SCOPED_TRACE(name);
    const Scenario scenario = read_scenario(name);
    sim::Workspace workspace;
    const sim::StepReport report = evaluate(scenario, scenario.baseline, workspace);
    ASSERT_NE(report.status, sim::StepStatus::invalid);
    const sim::StageMemory largest =
        stage_memory(scenario, scenario.baseline, sim::StageChoice::largest, workspace);
    EXPECT_EQ(largest.allocated, report.memory.allocated);
    EXPECT_EQ(largest.reserved, report.memory.reserved);
    // What the device has, less what the allocator can get, lies outside it (whole bytes).
    EXPECT_NEAR((largest.device - largest.reserved).value,
                (scenario.cluster.device.memory - report.memory.capacity).value, 1.0);
    EXPECT_LE(largest.static_state, largest.allocated);
    EXPECT_GT(largest.static_state.value, 0.0);
  }
}

TEST(EvaluateRoomy, TimesWhatFitsAlikeAndWhatDoesNotAsWell) {
  Scenario scenario = read_scenario("tiny-gpt");
  sim::Workspace workspace;
  const sim::StepReport fits = evaluate(scenario, scenario.baseline, workspace);
  ASSERT_EQ(fits.status, sim::StepStatus::ok);
  scenario.cluster.device.memory = sim::Bytes{1e6};
  EXPECT_EQ(evaluate(scenario, scenario.baseline, workspace).status, sim::StepStatus::oom_init);
  const sim::StepReport roomy =
      evaluate_roomy(scenario, scenario.baseline, scenario.cluster.state, workspace);
  EXPECT_EQ(roomy.status, sim::StepStatus::ok);
  EXPECT_EQ(roomy.step, fits.step);
  EXPECT_EQ(roomy.parts, fits.parts);
}

TEST(EvaluateRoomy, StillRefusesWhatCannotBeLaidOut) {
  Scenario scenario = read_scenario("tiny-gpt");
  scenario.baseline.tensor_parallel = 7;
  sim::Workspace workspace;
  EXPECT_EQ(evaluate_roomy(scenario, scenario.baseline, scenario.cluster.state, workspace).status,
            sim::StepStatus::invalid);
}

}  // namespace
}  // namespace cubicbench::scenarios
