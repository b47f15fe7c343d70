#include "scenarios/truth/instance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "scenarios/catalog.h"
#include "scenarios/evaluation/evaluate.h"
#include "scenarios/readers/scenario_reader.h"
#include "sim/base/slowest.h"
#include "sim/truth/noise_and_failures.h"
#include "tests/counting_new.h"

namespace cubicbench::scenarios {
namespace {

using Sets = std::vector<std::string>;

Scenario tiny(const Sets& sets = {}) { return read_scenario("tiny-gpt", sets); }

Configuration baseline_at(const Scenario& scenario) {
  return scenario.space.from_plan(scenario.baseline).configuration;
}

/// The `draw`-th of a fixed sequence of configurations.
Configuration sampled(const Scenario& scenario, std::uint64_t draw) {
  Configuration configuration(scenario.space.size());
  scenario.space.sample(11, draw, configuration);
  return configuration;
}

/// All that a launch says, comparable.
auto everything(const TrialOutcome& o) {
  return std::make_tuple(o.state, o.reason, o.value, o.metrics, o.cost_gpu_hours, o.duration_h);
}

TEST(Instance, ZeroIsNominalToTheBit) {
  for (const std::string& name : model_scenarios()) {
    SCOPED_TRACE(name);
    const Scenario scenario = read_scenario(name, {});
    const Instance instance(scenario, 0);
    EXPECT_EQ(instance.scenario().cluster, scenario.cluster);
    EXPECT_EQ(instance.scenario().stack, scenario.stack);
    EXPECT_EQ(instance.scenario().sha256, scenario.sha256);
  }
}

TEST(Instance, OthersDifferFromItAndFromEachOther) {
  const Scenario scenario = tiny();
  sim::Workspace workspace;
  std::map<double, std::uint64_t> values;
  for (std::uint64_t k = 0; k < 10; ++k) {
    const Instance instance(scenario, k);
    const TrueValue truth = instance.true_value(baseline_at(scenario), workspace);
    ASSERT_EQ(truth.reason, Reason::none);
    EXPECT_TRUE(values.emplace(truth.value, k).second) << k;
    EXPECT_EQ(instance.scenario().sha256, scenario.sha256);
  }
  // The spreads are tens of per cent of parts of the step.
  EXPECT_GT(values.begin()->first, 0.8 * values.rbegin()->first);
}

TEST(Instance, TheTrueValueIsThePercentileInClosedForm) {
  // 8 GPUs are late by at most x with probability (1 - exp(-x / beta))^8. The 90th percentile of
  // a rate is the 10th of the step time.
  struct Case {
    Sets sets;
    double quantile;
  };
  for (const Case& c : {Case{{}, 0.5}, Case{{"objective.percentile=90"}, 0.1},
                        Case{{"objective.percentile=1"}, 0.99},
                        Case{{"objective.metric=step_time_s", "objective.direction=minimize",
                              "objective.percentile=90"},
                             0.9}}) {
    const Scenario scenario = tiny(c.sets);
    const Instance instance(scenario, 0);
    sim::Workspace workspace;
    const sim::Seconds ideal = evaluate(scenario, scenario.baseline, workspace).step;
    const double late = sim::slowest_quantile(sim::field_jitter.gpu_mean, 8, c.quantile);
    EXPECT_NEAR(instance.true_value(baseline_at(scenario), workspace).value /
                    objective_value(scenario, scenario.baseline, (1.0 + late) * ideal, {}),
                1.0, 1e-13)
        << c.quantile;
  }
}

TEST(Instance, WithoutNoiseALaunchIsTheTruth) {
  const Scenario scenario = tiny({"truth.noise=none", "truth.failures=none"});
  const Instance instance(scenario, 0);
  sim::Workspace workspace;
  const Configuration baseline = baseline_at(scenario);
  const sim::StepReport report = evaluate(scenario, scenario.baseline, workspace);
  for (std::int64_t attempt = 0; attempt < 5; ++attempt) {
    const TrialOutcome outcome = instance.launch(baseline, attempt, workspace);
    EXPECT_EQ(outcome.state, TrialState::complete);
    EXPECT_EQ(outcome.value, instance.true_value(baseline, workspace).value);
    EXPECT_EQ(outcome.value, objective_value(scenario, scenario.baseline, report.step, {}));
    EXPECT_EQ(metric_of(outcome, "step_time_s"), report.step.value);
    EXPECT_EQ(metric_of(outcome, "peak_bytes"), report.memory.demand.value);
    // 300 s and 200 steps on 8 GPUs.
    EXPECT_NEAR(outcome.duration_h, (300.0 + 200.0 * report.step.value) / 3600.0, 1e-12);
    EXPECT_NEAR(outcome.cost_gpu_hours, 8.0 * outcome.duration_h, 1e-12);
  }
}

TEST(ShortLaunch, OfAllStepsIsAWholeOne) {
  const Scenario scenario = tiny();
  const Instance instance(scenario, 1);
  sim::Workspace workspace;
  for (std::uint64_t draw = 0; draw < 40; ++draw) {
    const Configuration configuration = sampled(scenario, draw);
    for (std::int64_t attempt = 0; attempt < 3; ++attempt) {
      EXPECT_EQ(everything(instance.launch(configuration, attempt, workspace, 0.0, 1.0)),
                everything(instance.launch(configuration, attempt, workspace)));
    }
  }
}

TEST(ShortLaunch, TakesTheStartUpAndItsSteps) {
  const Scenario scenario = tiny({"truth.noise=none", "truth.failures=none"});
  const Instance instance(scenario, 0);
  sim::Workspace workspace;
  const Configuration baseline = baseline_at(scenario);
  const double step = evaluate(scenario, scenario.baseline, workspace).step.value;
  for (const auto& [fidelity, steps] : {std::pair{0.25, 50}, {0.0625, 13}, {1e-6, 1}}) {
    const TrialOutcome outcome = instance.launch(baseline, 0, workspace, 0.0, fidelity);
    EXPECT_NEAR(outcome.duration_h, (300.0 + steps * step) / 3600.0, 1e-12);
    EXPECT_NEAR(outcome.cost_gpu_hours, 8.0 * outcome.duration_h, 1e-12);
    // Without noise every step is the same.
    EXPECT_EQ(outcome.value, instance.true_value(baseline, workspace).value);
  }
}

TEST(ShortLaunch, RunsOutOfMemoryAsAWholeOne) {
  const Scenario scenario = read_scenario("llama3-8b", {});
  const Instance instance(scenario, 0);
  sim::Workspace workspace;
  int failures = 0;
  for (std::uint64_t draw = 0; draw < 60; ++draw) {
    const Configuration configuration = sampled(scenario, draw);
    const TrialOutcome whole = instance.launch(configuration, 0, workspace);
    if (whole.reason != Reason::oom_init && whole.reason != Reason::oom_late) continue;
    ++failures;
    EXPECT_EQ(everything(instance.launch(configuration, 0, workspace, 0.0, 0.0625)),
              everything(whole));
  }
  EXPECT_GT(failures, 5);
}

TEST(ShortLaunch, MeasuresLessExactly) {
  // On one node the luck of a launch is that of its node, the same for all of its steps; what a
  // short launch adds is the error of its few steps.
  const Scenario scenario = tiny({"truth.failures=none"});
  const Instance instance(scenario, 0);
  sim::Workspace workspace;
  const Configuration baseline = baseline_at(scenario);
  const auto spread = [&](double fidelity) {
    double squares = 0.0;
    for (std::int64_t attempt = 0; attempt < 1'000; ++attempt) {
      const double whole = *instance.launch(baseline, attempt, workspace).value;
      const double some = *instance.launch(baseline, attempt, workspace, 0.0, fidelity).value;
      squares += (some / whole - 1.0) * (some / whole - 1.0);
    }
    return std::sqrt(squares / 1'000);
  };
  const double one_step = spread(1e-6);
  const double sixteenth = spread(0.0625);
  const double quarter = spread(0.25);
  EXPECT_EQ(spread(1.0), 0.0);
  EXPECT_GT(quarter, 0.0);
  // By 1/13 - 1/200 and 1/50 - 1/200: a factor of 2.19 in the deviation.
  EXPECT_NEAR(sixteenth / quarter, 2.19, 0.15);
  EXPECT_GT(one_step, 2.0 * sixteenth);
}

TEST(Instance, LaunchesDependOnConfigurationAndAttemptAndNotOnTheirOrder) {
  const Scenario scenario = tiny({"truth.failures=llama3-2024"});
  const Instance instance(scenario, 3);
  sim::Workspace workspace;
  std::vector<TrialOutcome> forth;
  for (std::uint64_t draw = 0; draw < 40; ++draw) {
    for (std::int64_t attempt = 0; attempt < 5; ++attempt) {
      forth.push_back(instance.launch(sampled(scenario, draw), attempt, workspace));
      const bool complete = forth.back().state == TrialState::complete;
      EXPECT_EQ(forth.back().value.has_value(), complete);
      EXPECT_EQ(forth.back().reason == Reason::none, complete);
      if (attempt > 0 && complete) {
        EXPECT_NE(forth.back().value, forth[forth.size() - 2].value);
      }
    }
  }
  const Instance again(scenario, 3);
  sim::Workspace other;
  for (std::size_t i = forth.size(); i-- > 0;) {
    const TrialOutcome outcome =
        again.launch(sampled(scenario, i / 5), static_cast<std::int64_t>(i % 5), other);
    EXPECT_EQ(everything(outcome), everything(forth[i])) << i;
  }
}

TEST(Instance, AJudgedLaunchIsTheLaunchAndTheTruth) {
  sim::Workspace workspace;
  for (const Sets& sets : {Sets{}, Sets{"truth.drift=assumed-releases"}}) {
    const Scenario scenario = tiny(sets);
    const Instance instance(scenario, 1);
    for (std::uint64_t draw = 0; draw < 200; ++draw) {
      const Configuration configuration = sampled(scenario, draw);
      const auto hours = static_cast<double>(draw);
      const double fidelity = draw % 3 == 0 ? 0.25 : 1.0;
      const Instance::JudgedLaunch judged =
          instance.judged_launch(configuration, 1, workspace, hours, fidelity);
      EXPECT_EQ(everything(judged.outcome),
                everything(instance.launch(configuration, 1, workspace, hours, fidelity)));
      EXPECT_EQ(judged.truth, instance.true_value(configuration, workspace));
    }
  }
}

TEST(Instance, OutsideTheSpaceIsInvalidAndFree) {
  const Scenario scenario = tiny();
  const Instance instance(scenario, 0);
  sim::Workspace workspace;
  Configuration configuration = baseline_at(scenario);
  configuration.front() = 99;
  const TrialOutcome outcome = instance.launch(configuration, 0, workspace);
  EXPECT_EQ(outcome.state, TrialState::fail);
  EXPECT_EQ(outcome.reason, Reason::invalid);
  EXPECT_EQ(outcome.value, std::nullopt);
  EXPECT_EQ(outcome.cost_gpu_hours, 0.0);
  EXPECT_EQ(outcome.duration_h, 0.0);
}

TEST(Instance, RunningOutOfMemoryCostsStartUpOrTheFirstStepToo) {
  Scenario scenario = tiny({"truth.noise=none"});
  sim::Workspace workspace;
  const sim::StepReport fits = evaluate(scenario, scenario.baseline, workspace);
  ASSERT_EQ(fits.status, sim::StepStatus::ok);
  const sim::Bytes taken = scenario.cluster.device.memory - fits.memory.capacity;
  ASSERT_LT(fits.memory.demand_at_start, fits.memory.demand);
  struct Case {
    Reason reason;
    sim::Bytes needed;
    double seconds;
  };
  for (const Case& c : {Case{Reason::oom_init, fits.memory.demand_at_start, 300.0},
                        Case{Reason::oom_late, fits.memory.demand, 300.0 + fits.step.value}}) {
    SCOPED_TRACE(name_of(c.reason));
    const sim::Bytes missing{1e6};
    scenario.cluster.device.memory = taken + c.needed - missing;
    const Instance instance(scenario, 0);
    EXPECT_EQ(instance.true_value(baseline_at(scenario), workspace).reason, c.reason);
    const TrialOutcome outcome = instance.launch(baseline_at(scenario), 0, workspace);
    EXPECT_EQ(outcome.state, TrialState::fail);
    EXPECT_EQ(outcome.reason, c.reason);
    EXPECT_NEAR(metric_of(outcome, "over_bytes").value(), missing.value, 1.0);
    EXPECT_NEAR(outcome.cost_gpu_hours, 8.0 * c.seconds / 3600.0, 1e-9);
    EXPECT_NEAR(outcome.duration_h, c.seconds / 3600.0, 1e-10);
  }
}

TEST(Instance, ALongJobIsATimeoutThatCostsTheLimit) {
  const Scenario scenario = tiny({"job.time_limit_s=310"});
  const Instance instance(scenario, 0);
  sim::Workspace workspace;
  EXPECT_EQ(instance.true_value(baseline_at(scenario), workspace).reason, Reason::timeout);
  for (std::int64_t attempt = 0; attempt < 20; ++attempt) {
    const TrialOutcome outcome = instance.launch(baseline_at(scenario), attempt, workspace);
    EXPECT_EQ(outcome.reason, Reason::timeout);
    EXPECT_DOUBLE_EQ(outcome.cost_gpu_hours, 8.0 * 310.0 / 3600.0);
  }
}

TEST(Instance, LargeJobsFailAtThePublishedRate) {
  const Scenario scenario = read_scenario("llama3-405b", {});
  const Instance instance(scenario, 0);
  sim::Workspace workspace;
  const Configuration baseline = baseline_at(scenario);
  double gpu_hours = 0.0;
  double failures = 0.0;
  for (std::int64_t attempt = 0; attempt < 4000; ++attempt) {
    const TrialOutcome outcome = instance.launch(baseline, attempt, workspace);
    if (outcome.reason == Reason::timeout) {
      failures += 1.0;  // a hang: failed within the run and waited for the limit
      continue;
    }
    failures += outcome.reason == Reason::infra ? 1.0 : 0.0;
    gpu_hours += outcome.cost_gpu_hours;
  }
  const double rate = 419.0 / (54.0 * 24.0 * 16384.0);
  EXPECT_NEAR(failures / gpu_hours / rate, 1.0, 4.0 / std::sqrt(failures));
  EXPECT_GT(failures, 300.0);
}

TEST(Instance, TrueValuesAllocateNothingOnceTheWorkspaceIsWarm) {
  const Scenario scenario = tiny();
  const Instance instance(scenario, 1);
  sim::Workspace workspace;
  std::vector<Configuration> configurations;
  for (std::uint64_t draw = 0; draw < 100; ++draw) {
    configurations.push_back(sampled(scenario, draw));
    instance.true_value(configurations.back(), workspace);
  }
  const long before = allocation_count();
  double sum = 0.0;
  for (const Configuration& configuration : configurations) {
    sum += instance.true_value(configuration, workspace).value;
  }
  EXPECT_EQ(allocation_count() - before, 0);
  EXPECT_GT(sum, 0.0);
}

TEST(TruthSha256, ChangesWithThePhysicsOnly) {
  const Scenario scenario = tiny();
  const std::string nominal = truth_sha256(Instance(scenario, 0));
  EXPECT_EQ(nominal.size(), 64U);
  EXPECT_EQ(truth_sha256(Instance(scenario, 0)), nominal);
  EXPECT_NE(truth_sha256(Instance(scenario, 1)), nominal);

  Scenario renamed = scenario;
  renamed.summary = "the same problem in other words";
  renamed.device = "./a100.json";
  EXPECT_EQ(truth_sha256(Instance(renamed, 0)), nominal);

  Scenario slower = scenario;
  slower.stack.gemm_factor *= 1.0 + 1e-12;
  EXPECT_NE(truth_sha256(Instance(slower, 0)), nominal);
  Scenario smaller = scenario;
  smaller.cluster.device.memory = sim::Bytes{4e9};
  EXPECT_NE(truth_sha256(Instance(smaller, 0)), nominal);
  Scenario other = scenario;
  other.sha256[0] = other.sha256[0] == '0' ? '1' : '0';
  EXPECT_NE(truth_sha256(Instance(other, 0)), nominal);
}

}  // namespace
}  // namespace cubicbench::scenarios
