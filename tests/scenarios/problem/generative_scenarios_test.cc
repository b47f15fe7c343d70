// The generative recommenders of the library.
#include <gtest/gtest.h>

#include <variant>

#include "scenarios/evaluation/evaluate.h"
#include "scenarios/readers/scenario_reader.h"

namespace cubicbench::scenarios {
namespace {

TEST(GenerativeRecommenders, AdsHstuIsThatOfThePublishedBenchmark) {
  const Scenario scenario = read_scenario("ads-hstu");
  const auto& model = std::get<sim::Recommendation>(scenario.workload);
  EXPECT_EQ(sim::sequence_tokens(model), 4099);
  EXPECT_NEAR(sim::length_moment(model, 2), 4.0 / 3.0, 1e-3);  // uniform, to 4,096 items
  EXPECT_EQ(scenario.cluster.gpus, 16);
  EXPECT_EQ(samples_per_step(scenario, scenario.baseline), 512.0);
}

TEST(GenerativeRecommenders, BothEnginesSayTheSameOfTheirBaselines) {
  for (const char* name : {"ads-hstu", "dlrmv4-like"}) {
    SCOPED_TRACE(name);
    const Scenario scenario = read_scenario(name);
    sim::Workspace workspace;
    const sim::StepReport closed = evaluate(scenario, scenario.baseline, workspace);
    ASSERT_EQ(closed.status, sim::StepStatus::ok);
    const sim::EventReport events = play(scenario, scenario.baseline, {}, workspace);
    EXPECT_NEAR(events.step.step / closed.step, 1.0, 0.01);
  }
}

/// Measured on two releases: 1.53 times the speed, with the older kernels of attention.
TEST(GenerativeRecommenders, BalancedLengthsGainWhatTheBenchmarkGained) {
  Scenario scenario = read_scenario("ads-hstu");
  scenario.stack.gated_attention_factor = 0.15;
  sim::Workspace workspace;
  const sim::Seconds balanced = evaluate(scenario, scenario.baseline, workspace).step;
  scenario.baseline.length_balancing = false;
  EXPECT_NEAR(evaluate(scenario, scenario.baseline, workspace).step / balanced, 1.53, 0.08);
}

}  // namespace
}  // namespace cubicbench::scenarios
