// Trainings that have to end in time: whoever takes longer has no value, and a launch whose own
// luck makes it too slow is a timeout that has cost all of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "scenarios/bounds/value_bound.h"
#include "scenarios/evaluation/evaluate.h"
#include "scenarios/readers/scenario_reader.h"
#include "scenarios/truth/instance.h"
#include "scenarios/truth/true_values.h"
#include "tests/scenarios/broken_file.h"

namespace cubicbench::scenarios {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Scenario cost() { return read_scenario(test_scenario("cost-7b")); }

Scenario with_days(double days) {
  Scenario scenario = cost();
  scenario.objective.deadline->days = days;
  return scenario;
}

double days_of_baseline(const Scenario& scenario) {
  sim::Workspace workspace;
  const Instance instance(scenario, 0);
  const sim::StepReport report = evaluate(instance.scenario(), scenario.baseline, workspace);
  return instance.training_days(scenario.baseline, report.step);
}

Configuration baseline_of(const Scenario& scenario) {
  return scenario.space.from_plan(scenario.baseline).configuration;
}

TEST(Deadline, CountsDays) {
  const Scenario scenario = cost();
  // 2e12 tokens, of which a step of 4 s trains 1,536 x 4,096.
  EXPECT_DOUBLE_EQ(training_days(scenario, scenario.baseline, sim::Seconds{4.0}),
                   2e12 / (1536.0 * 4096.0) * 4.0 / 86'400.0);
  EXPECT_FALSE(misses_deadline(scenario, scenario.baseline, sim::Seconds{8.1}));
  EXPECT_TRUE(misses_deadline(scenario, scenario.baseline, sim::Seconds{8.2}));  // 8.154 s a step
}

TEST(Deadline, LeavesNoValueToWhoMissesIt) {
  sim::Workspace workspace;
  const double days = days_of_baseline(cost());
  const Instance meets(with_days(std::nextafter(days, infinity)), 0);
  const Instance misses(with_days(std::nextafter(days, 0.0)), 0);
  EXPECT_EQ(meets.true_value(meets.scenario().baseline, workspace).reason, Reason::none);
  EXPECT_EQ(misses.true_value(misses.scenario().baseline, workspace),
            TrueValue{.reason = Reason::timeout});
  TrueValues values(misses);
  EXPECT_EQ(values.at(baseline_of(misses.scenario())).reason, Reason::timeout);
}

TEST(Deadline, IsMissedByTheRunThatWasMeasured) {
  const double days = days_of_baseline(cost());
  const Instance free(with_days(1000.0), 0);
  const Instance instance(with_days(days), 0);
  const Configuration configuration = baseline_of(instance.scenario());
  sim::Workspace workspace;
  int late = 0;
  int in_time = 0;
  for (std::int64_t attempt = 0; attempt < 60; ++attempt) {
    const TrialOutcome got = instance.launch(configuration, attempt, workspace);
    // Both scenarios give one hash to what noise is drawn from: only the deadline differs.
    const TrialOutcome run = free.launch(configuration, attempt, workspace);
    ASSERT_TRUE(run.value);
    EXPECT_EQ(got.cost_gpu_hours, run.cost_gpu_hours);
    const double taken = 2e12 / *run.value / 256.0 / 24.0;
    if (taken > days) {
      ++late;
      EXPECT_EQ(got.state, TrialState::fail);
      EXPECT_EQ(got.reason, Reason::timeout);
      EXPECT_FALSE(got.value);
      EXPECT_TRUE(got.metrics.empty());
    } else {
      ++in_time;
      EXPECT_EQ(got.value, run.value);
    }
  }
  EXPECT_GT(late, 5);
  EXPECT_GT(in_time, 5);
}

/// Every configuration of the space by its GPU count: the best value; -infinity where none has one.
TEST(Deadline, MakesAnInteriorGpuCountTheBest) {
  const Instance instance(cost(), 0);
  const SearchSpace& space = instance.scenario().space;
  const auto gpus = static_cast<std::size_t>(space.find("gpus"));
  TrueValues values(instance);
  std::vector<double> best(space.parameters()[gpus].values.size(), -infinity);
  Configuration configuration(space.size());
  for (std::uint64_t number = 0; number < space.count(); ++number) {
    space.configuration_at(number, configuration);
    const TrueValue value = values.at(configuration);
    double& known = best[static_cast<std::size_t>(configuration[gpus])];
    if (value.reason == Reason::none) known = std::max(known, value.value);
  }
  EXPECT_EQ(best.front(), -infinity);  // 32 GPUs are too slow whatever they do
  const auto optimum = std::ranges::max_element(best);
  EXPECT_GT(optimum - best.begin(), 0);
  EXPECT_LT(optimum - best.begin(), std::ssize(best) - 1);
  EXPECT_GT(*optimum, best.back());
}

TEST(Deadline, IsInTheBoundsOfParts) {
  for (const double days : {12.0, 30.0, 90.0}) {
    const Instance instance(with_days(days), 1);
    const SearchSpace& space = instance.scenario().space;
    TrueValues values(instance);
    ValueBound bound(instance);
    Configuration drawn(space.size());
    for (std::uint64_t draw = 0; draw < 200; ++draw) {
      space.sample(7, draw, drawn);
      const TrueValue value = values.at(drawn);
      for (std::size_t decided = 0; decided <= space.size(); ++decided) {
        const double above = bound.upper_bound(drawn, decided);
        EXPECT_TRUE(value.reason != Reason::none || above >= value.value) << "draw " << draw;
      }
    }
  }
  // No device trains two trillion tokens of this model in a tenth of a day on 256 GPUs.
  const Instance hopeless(with_days(0.1), 0);
  const Configuration baseline = baseline_of(hopeless.scenario());
  EXPECT_EQ(ValueBound(hopeless).upper_bound(baseline, 0), -infinity);
}

}  // namespace
}  // namespace cubicbench::scenarios
