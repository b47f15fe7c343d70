// What the baselines of the ads models leave to be found: nothing by turning one knob.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "datasets/landscape/hill_climb.h"
#include "scenarios/evaluation/evaluate.h"
#include "scenarios/readers/scenario_reader.h"
#include "scenarios/space/setting.h"
#include "scenarios/truth/instance.h"
#include "scenarios/truth/true_values.h"
#include "sim/memory/memory_report.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Reason;
using scenarios::Scenario;
using scenarios::TrueValue;

class AdsBaseline : public testing::TestWithParam<const char*> {};

/// The best gain over the baseline of configurations that differ from it in one parameter.
double one_knob_gain(const Scenario& scenario, std::string& best) {
  const scenarios::Instance nominal(scenario, 0);
  scenarios::TrueValues truth(nominal);
  const auto baseline = scenario.space.from_plan(scenario.baseline).configuration;
  const TrueValue start = truth.at(baseline);
  EXPECT_EQ(start.reason, Reason::none);
  double gain = 0.0;
  scenarios::Configuration neighbour(scenario.space.size());
  for (const std::uint64_t number :
       neighbours(scenario.space, scenario.space.number_of(baseline), 1)) {
    scenario.space.configuration_at(number, neighbour);
    const TrueValue value = truth.at(neighbour);
    if (value.reason != Reason::none || value.value / start.value - 1.0 <= gain) continue;
    gain = value.value / start.value - 1.0;
    best = std::to_string(number);
  }
  return gain;
}

TEST_P(AdsBaseline, GainsAtMostSixPercentByOneKnob) {
  std::string best;
  const double gain = one_knob_gain(scenarios::read_scenario(GetParam()), best);
  RecordProperty("gain", std::to_string(gain));
  EXPECT_GT(gain, 0.0);  // a baseline, no optimum
  EXPECT_LE(gain, 0.06) << "configuration " << best;
}

// An expert's first job is not a matter of luck.
TEST_P(AdsBaseline, RunsInNineLaunchesOfTen) {
  const Scenario scenario = scenarios::read_scenario(GetParam());
  sim::Workspace workspace;
  const sim::StepReport report = evaluate(scenario, scenario.baseline, workspace);
  EXPECT_LE(sim::oom_probability(report.memory), 0.1);
}

/// The largest batch of the space that does: one more is too risky.
TEST_P(AdsBaseline, HasTheLargestBatchThatDoes) {
  const Scenario scenario = scenarios::read_scenario(GetParam());
  sim::Workspace workspace;
  bool larger = false;
  for (const auto& parameter : scenario.space.parameters()) {
    if (parameter.setting->name != "batch_per_gpu") continue;
    for (const std::int64_t value : parameter.values) {
      if (value <= scenario.baseline.batch_per_gpu) continue;
      larger = true;
      sim::Plan plan = scenario.baseline;
      plan.batch_per_gpu = value;
      EXPECT_GT(sim::oom_probability(evaluate(scenario, plan, workspace).memory), 0.1) << value;
    }
  }
  EXPECT_TRUE(larger);
}

INSTANTIATE_TEST_SUITE_P(Library, AdsBaseline,
                         testing::Values("ads-73b", "ads-73b-table-heavy", "ads-73b-dense-heavy",
                                         "ads-73b-a100", "ads-73b-table-heavy-a100",
                                         "ads-73b-dense-heavy-a100"));

}  // namespace
}  // namespace cubicbench::datasets
