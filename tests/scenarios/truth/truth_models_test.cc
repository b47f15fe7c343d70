// Trainings that diverge and software that drifts, as far as a scenario knows of them.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "scenarios/readers/scenario_reader.h"
#include "scenarios/truth/instance.h"
#include "scenarios/truth/true_values.h"

namespace cubicbench::scenarios {
namespace {

using Sets = std::vector<std::string>;

/// A configuration of `ads-73b` is the baseline but for `sets`; the hash is that without them.
struct Case {
  Scenario scenario;
  Configuration configuration;
};

Case with(const Sets& problem, const Sets& settings) {
  Sets sets = problem;
  sets.insert(sets.end(), settings.begin(), settings.end());
  Scenario scenario = read_scenario("ads-73b", sets);
  const Configuration configuration = scenario.space.from_plan(scenario.baseline).configuration;
  return {std::move(scenario), configuration};
}

const Sets numeric{"truth.numeric=assumed-2026"};
const Sets exact{"truth.numeric=none"};
const Sets fp8{"batch_per_gpu=1536", "forward_comm_dtype=fp8"};  // far from the limit of memory

/// An instance whose recipe with fp8 diverges, or one whose does not.
std::uint64_t instance_that(bool diverges, const Case& c) {
  std::uint64_t number = 0;
  while (Instance(c.scenario, number).divergence(c.scenario.baseline).has_value() != diverges) {
    ++number;
  }
  return number;
}

TEST(TruthNames, AreReadAndHashedOnlyWhereTheySaySomething) {
  const std::string plain = read_scenario("tiny-gpt", {}).sha256;
  for (const std::string key : {"numeric", "drift"}) {
    EXPECT_EQ(read_scenario("tiny-gpt", Sets{"truth." + key + "=none"}).sha256, plain);
  }
  const Scenario risky = read_scenario("tiny-gpt", Sets{"truth.numeric=assumed-2026"});
  const Scenario drifting = read_scenario("tiny-gpt", Sets{"truth.drift=assumed-releases"});
  EXPECT_EQ(risky.truth.numeric, "assumed-2026");
  EXPECT_EQ(drifting.truth.drift, "assumed-releases");
  EXPECT_NE(risky.sha256, plain);
  EXPECT_NE(drifting.sha256, plain);
  EXPECT_NE(drifting.sha256, risky.sha256);
}

TEST(Numeric, IsAPropertyOfTheConfigurationAndCostsUntilItShows) {
  const Case c = with(numeric, fp8);
  const std::uint64_t number = instance_that(true, c);
  const Instance instance(c.scenario, number);
  sim::Workspace workspace;
  EXPECT_EQ(instance.true_value(c.configuration, workspace).reason, Reason::numeric);
  EXPECT_EQ(TrueValues(instance).at(c.configuration), (TrueValue{.reason = Reason::numeric}));
  std::optional<TrialOutcome> first;
  for (std::int64_t attempt = 0; attempt < 20; ++attempt) {
    const TrialOutcome outcome = instance.launch(c.configuration, attempt, workspace);
    EXPECT_EQ(outcome.state, TrialState::fail);
    EXPECT_EQ(outcome.reason, Reason::numeric);
    EXPECT_EQ(outcome.value, std::nullopt);
    EXPECT_TRUE(outcome.metrics.empty());
    if (!first) first = outcome;
    EXPECT_EQ(outcome.cost_gpu_hours, first->cost_gpu_hours);
  }
  // More than the start-up, less than the whole job.
  const Case whole = with(exact, fp8);
  const TrialOutcome done = Instance(whole.scenario, 0).launch(whole.configuration, 0, workspace);
  EXPECT_GT(first->duration_h, 300.0 / 3600.0);
  EXPECT_LT(first->duration_h, 1.5 * done.duration_h);
}

TEST(Numeric, LeavesConfigurationsThatConvergeAsTheyAre) {
  const Case c = with(numeric, fp8);
  Case plain = with(exact, fp8);
  // The same truth but for the name: instances are drawn from the hash.
  plain.scenario.sha256 = c.scenario.sha256;
  const std::uint64_t number = instance_that(false, c);
  sim::Workspace workspace;
  const Instance risky(c.scenario, number);
  const Instance converging(plain.scenario, number);
  EXPECT_EQ(risky.true_value(c.configuration, workspace),
            converging.true_value(plain.configuration, workspace));
  EXPECT_EQ(risky.launch(c.configuration, 2, workspace).value,
            converging.launch(plain.configuration, 2, workspace).value);
}

TEST(Numeric, TrueValueOfAStepThatDidNotFitIsOfMemory) {
  const Case c = with(numeric, fp8);
  const Instance instance(c.scenario, instance_that(true, c));
  const auto reason = [&](sim::StepStatus status) {
    return instance.true_value(c.scenario.baseline, status, sim::Seconds{1.0}, {}).reason;
  };
  EXPECT_EQ(reason(sim::StepStatus::ok), Reason::numeric);
  EXPECT_EQ(reason(sim::StepStatus::oom_init), Reason::oom_init);
  EXPECT_EQ(reason(sim::StepStatus::oom_late), Reason::oom_late);
  EXPECT_EQ(reason(sim::StepStatus::invalid), Reason::invalid);
}

TEST(Drift, LaunchesGetFasterAndTheTruthDoesNot) {
  const Scenario scenario = read_scenario(
      "llama3-8b", Sets{"truth.drift=assumed-releases", "truth.noise=none", "truth.failures=none"});
  const Instance instance(scenario, 2);
  sim::Workspace workspace;
  const Configuration baseline = scenario.space.from_plan(scenario.baseline).configuration;
  const TrueValue truth = instance.true_value(baseline, workspace);
  EXPECT_EQ(instance.launch(baseline, 0, workspace).value, truth.value);
  double before = truth.value;
  for (const double months : {3.0, 6.0, 9.0, 12.0}) {
    const TrialOutcome outcome = instance.launch(baseline, 0, workspace, months * 730.0);
    ASSERT_TRUE(outcome.value);
    EXPECT_GT(*outcome.value, before) << months;
    before = *outcome.value;
  }
  EXPECT_LT(before, 1.2 * truth.value);
  EXPECT_EQ(instance.launch(baseline, 0, workspace, 1e6).value, before);
  EXPECT_EQ(instance.true_value(baseline, workspace), truth);
}

TEST(Drift, WithoutItTheHourOfALaunchIsNothing) {
  const Scenario scenario = read_scenario("tiny-gpt", {});
  const Instance instance(scenario, 2);
  sim::Workspace workspace;
  const Configuration baseline = scenario.space.from_plan(scenario.baseline).configuration;
  EXPECT_EQ(instance.launch(baseline, 0, workspace, 1e6).value,
            instance.launch(baseline, 0, workspace).value);
}

}  // namespace
}  // namespace cubicbench::scenarios
