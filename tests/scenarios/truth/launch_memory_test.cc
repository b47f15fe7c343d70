// What launches near the limit of memory come to, by the attempt.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "scenarios/evaluation/evaluate.h"
#include "scenarios/readers/scenario_reader.h"
#include "scenarios/truth/instance.h"
#include "scenarios/truth/true_values.h"
#include "sim/base/slowest.h"
#include "sim/memory/memory_report.h"
#include "sim/truth/noise_and_failures.h"

namespace cubicbench::scenarios {
namespace {

using Sets = std::vector<std::string>;

const Sets steady{"truth.failures=none"};

Configuration baseline_for(const Scenario& scenario) {
  return scenario.space.from_plan(scenario.baseline).configuration;
}

sim::MemoryReport memory_of(const Scenario& scenario) {
  sim::Workspace workspace;
  return evaluate(scenario, scenario.baseline, workspace).memory;
}

/// `tiny-gpt` on devices of which its baseline's demand fills the share `filled`.
Scenario filled_to(double filled, const Sets& sets = steady) {
  Scenario scenario = read_scenario("tiny-gpt", sets);
  const sim::MemoryReport memory = memory_of(scenario);
  const sim::Bytes taken = scenario.cluster.device.memory - memory.capacity;
  scenario.cluster.device.memory = taken + sim::Bytes{memory.demand.value / filled};
  return scenario;
}

struct Launches {
  int complete = 0;
  int out_of_memory = 0;
  std::vector<TrialOutcome> all;
};

Launches launches_of(const Scenario& scenario, int attempts) {
  const Instance instance(scenario, 0);
  sim::Workspace workspace;
  Launches launches;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    launches.all.push_back(instance.launch(baseline_for(scenario), attempt, workspace));
    launches.complete += launches.all.back().reason == Reason::none ? 1 : 0;
    launches.out_of_memory += launches.all.back().reason == Reason::oom_late ? 1 : 0;
  }
  EXPECT_EQ(launches.complete + launches.out_of_memory, attempts);
  return launches;
}

TEST(LaunchMemory, RunsOutAsOftenAsIsStated) {
  constexpr int attempts = 4000;
  for (const double filled : {0.75, 0.85, 0.93, 0.954, 0.999, 1.001, 1.05, 1.15}) {
    SCOPED_TRACE(filled);
    const Scenario scenario = filled_to(filled);
    const sim::MemoryReport memory = memory_of(scenario);
    ASSERT_LT(memory.demand_at_start, memory.capacity);
    const double p = sim::oom_probability(memory);
    const double failed = launches_of(scenario, attempts).out_of_memory;
    EXPECT_NEAR(failed / attempts, p, 4.0 * std::sqrt(p * (1.0 - p) / attempts));
  }
}

TEST(LaunchMemory, IsCertainAwayFromTheLimit) {
  // Margins of 0.046 +- 0.052 ln 999 of the capacity.
  EXPECT_EQ(launches_of(filled_to(0.594), 3000).complete, 3000);
  EXPECT_GT(launches_of(filled_to(0.62), 3000).out_of_memory, 0);
  EXPECT_GT(launches_of(filled_to(1.29), 3000).complete, 0);
  EXPECT_EQ(launches_of(filled_to(1.314), 3000).out_of_memory, 3000);
}

TEST(LaunchMemory, WithoutNoiseIsTheVerdict) {
  const Sets exact{"truth.noise=none", "truth.failures=none"};
  EXPECT_EQ(launches_of(filled_to(0.9999, exact), 200).complete, 200);
  EXPECT_EQ(launches_of(filled_to(1.0001, exact), 200).out_of_memory, 200);
}

TEST(LaunchMemory, LacksSomethingWhereItRunsOutAndFitsWhereItRuns) {
  for (const double filled : {0.8, 0.95, 1.0, 1.1, 1.4}) {
    SCOPED_TRACE(filled);
    const Scenario scenario = filled_to(filled);
    const sim::MemoryReport memory = memory_of(scenario);
    for (const TrialOutcome& outcome : launches_of(scenario, 500).all) {
      const auto needed = metric_of(outcome, "peak_bytes");
      const auto over = metric_of(outcome, "over_bytes");
      ASSERT_NE(needed.has_value(), over.has_value());
      if (over) {
        EXPECT_GT(*over, 0.0);
        EXPECT_LE(*over, 1.7 * memory.demand.value - memory.capacity.value);
      } else {
        EXPECT_LE(*needed, memory.capacity.value);
        EXPECT_GE(*needed, 0.76 * memory.demand.value);
      }
    }
  }
}

TEST(LaunchMemory, TheSameAttemptComesToTheSame) {
  const Scenario scenario = filled_to(0.97);
  const Launches once = launches_of(scenario, 100);
  const Launches again = launches_of(scenario, 100);
  for (std::size_t i = 0; i < once.all.size(); ++i) {
    EXPECT_EQ(once.all[i].reason, again.all[i].reason);
    EXPECT_EQ(once.all[i].value, again.all[i].value);
    EXPECT_EQ(once.all[i].metrics, again.all[i].metrics);
  }
}

TEST(LaunchMemory, TheTruthIsTheVerdictWhateverLaunchesComeTo) {
  sim::Workspace workspace;
  const Scenario inside = filled_to(0.999);
  const Scenario outside = filled_to(1.001);
  const Instance fits(inside, 0);
  const Instance lacks(outside, 0);
  EXPECT_EQ(fits.true_value(baseline_for(inside), workspace).reason, Reason::none);
  EXPECT_EQ(lacks.true_value(baseline_for(outside), workspace).reason, Reason::oom_late);
  EXPECT_EQ(TrueValues(lacks).at(baseline_for(outside)), (TrueValue{.reason = Reason::oom_late}));
  EXPECT_GT(launches_of(inside, 100).out_of_memory, 50);  // 70 %
  EXPECT_GT(launches_of(outside, 100).complete, 10);      // 29 %
}

TEST(LaunchMemory, ASurvivorBeyondTheLimitRunsAtThePaceOfAFullDevice) {
  const Scenario outside = filled_to(1.001);
  const Scenario roomy = read_scenario("tiny-gpt", steady);
  const Instance beyond(outside, 0);
  const Instance within(roomy, 0);
  sim::Workspace workspace;
  const sim::Seconds ideal = evaluate(roomy, roomy.baseline, workspace).step;
  const double first_step = (1.0 + sim::slowest_mean(sim::field_jitter.gpu_mean, 8)) * ideal.value;
  int survivors = 0;
  for (std::int64_t attempt = 0; attempt < 50; ++attempt) {
    const TrialOutcome lucky = beyond.launch(baseline_for(outside), attempt, workspace);
    const TrialOutcome plain = within.launch(baseline_for(roomy), attempt, workspace);
    ASSERT_EQ(plain.reason, Reason::none);
    if (lucky.reason != Reason::none) {
      EXPECT_NEAR(lucky.duration_h * 3600.0, 300.0 + first_step, 1e-6);
      continue;
    }
    ++survivors;
    EXPECT_NEAR(*metric_of(lucky, "step_time_s") / *metric_of(plain, "step_time_s"), 1.10, 1e-9);
    EXPECT_NEAR(*plain.value / *lucky.value, 1.10, 1e-9);
  }
  EXPECT_GT(survivors, 5);
}

}  // namespace
}  // namespace cubicbench::scenarios
