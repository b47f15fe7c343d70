// What steps take of energy and money, and what is then best.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "scenarios/bounds/value_bound.h"
#include "scenarios/evaluation/evaluate.h"
#include "scenarios/readers/scenario_reader.h"
#include "scenarios/truth/instance.h"
#include "scenarios/truth/true_values.h"
#include "sim/engine/step_energy.h"
#include "sim/plan/plan_cluster.h"
#include "tests/scenarios/broken_file.h"

namespace cubicbench::scenarios {
namespace {

constexpr std::uint64_t seed = 31;
constexpr std::uint64_t draws = 200;
constexpr double tokens = 1536.0 * 4096.0;  // of a step of cost-7b

Scenario cost_7b(const char* metric, const char* price = "2.5") {
  const std::vector<std::string> sets{"objective.metric=" + std::string(metric),
                                      "cluster.usd_per_gpu_hour=" + std::string(price)};
  return read_scenario(test_scenario("cost-7b"), sets);
}

sim::Plan on(sim::Plan plan, std::int64_t gpus) {
  plan.gpus = gpus;
  return plan;
}

TEST(EnergyAndPrice, ByHand) {
  const sim::Seconds step{2.0};
  const sim::Seconds busy{1.5};
  Scenario scenario = cost_7b("tokens_per_joule");
  scenario.cluster.device.board_watts = 700.0;
  scenario.cluster.device.waiting_watts = 200.0;
  const sim::Plan plan = on(scenario.baseline, 64);
  const auto value = [&](Metric metric) {
    scenario.objective.metric = metric;
    return objective_value(scenario, plan, step, busy);
  };
  const double joules = 64.0 * (1.5 * 700.0 + 0.5 * 200.0);
  EXPECT_DOUBLE_EQ(step_energy_j(scenario, plan, step, busy), joules);
  EXPECT_DOUBLE_EQ(value(Metric::tokens_per_joule), tokens / joules);
  EXPECT_DOUBLE_EQ(value(Metric::samples_per_joule), 1536.0 / joules);
  const double usd = 64.0 * 2.0 / 3600.0 * 2.5;
  EXPECT_DOUBLE_EQ(step_price_usd(scenario, plan, step), usd);
  EXPECT_DOUBLE_EQ(value(Metric::tokens_per_usd), tokens / usd);
  EXPECT_DOUBLE_EQ(value(Metric::samples_per_usd), 1536.0 / usd);
}

TEST(EnergyAndPrice, OfAdsAreOfSamples) {
  const std::vector<std::string> sets{"objective.metric=samples_per_joule"};
  const Scenario ads = read_scenario("dlrm-dcnv2-64gpu", sets);
  sim::Workspace workspace;
  const sim::StepReport report = evaluate(ads, ads.baseline, workspace);
  ASSERT_EQ(report.status, sim::StepStatus::ok);
  const sim::Seconds busy = sim::busy_time(report);
  EXPECT_DOUBLE_EQ(objective_value(ads, ads.baseline, report.step, busy),
                   static_cast<double>(ads.baseline.batch_per_gpu) /
                       sim::gpu_step_energy_j(ads.cluster.device, report.step, busy));
}

TEST(EnergyAndPrice, TwiceThePriceIsHalfTheTokens) {
  const Scenario cheap = cost_7b("tokens_per_usd", "1.5");
  const Scenario dear = cost_7b("tokens_per_usd", "3");
  const Instance of_cheap(cheap, 0);
  const Instance of_dear(dear, 0);
  sim::Workspace workspace;
  EXPECT_DOUBLE_EQ(of_cheap.true_value(cheap.baseline, workspace).value,
                   2.0 * of_dear.true_value(dear.baseline, workspace).value);
}

/// At equal prices of all GPUs the most tokens for a GPU-hour are the most for a dollar.
TEST(EnergyAndPrice, TokensForADollarAreThoseOfAGpuHourOverItsPrice) {
  const Scenario usd = cost_7b("tokens_per_usd", "2.5");
  const Scenario hours = read_scenario(test_scenario("cost-7b"));
  const Instance of_usd(usd, 3);
  // Of the same machine: an instance is drawn from the problem's name.
  Scenario machine = of_usd.scenario();
  machine.objective = hours.objective;
  for (const double seconds : {0.5, 2.0, 7.0}) {
    const sim::Seconds step{seconds};
    EXPECT_NEAR(objective_value(of_usd.scenario(), usd.baseline, step, {}) * 2.5 /
                    objective_value(machine, usd.baseline, step, {}),
                1.0, 1e-14);
  }
}

TEST(EnergyAndPrice, TheMeanPowerLiesBetweenTheTwo) {
  for (const char* name : {"cost-7b", "tiny-moe"}) {
    const Scenario scenario = read_scenario(test_scenario(name));
    const sim::Device& device = scenario.cluster.device;
    sim::Workspace workspace;
    Configuration drawn(scenario.space.size());
    int timed = 0;
    for (std::uint64_t draw = 0; draw < draws; ++draw) {
      sim::Plan plan;
      scenario.space.sample(seed, draw, drawn);
      scenario.space.apply(drawn, plan);
      const sim::StepReport report = evaluate(scenario, plan, workspace);
      if (report.status != sim::StepStatus::ok) continue;
      ++timed;
      const sim::Seconds busy = sim::busy_time(report);
      EXPECT_GT(busy, sim::Seconds{}) << name << ", draw " << draw;
      EXPECT_LE(busy, (1.0 + 1e-12) * report.step) << name << ", draw " << draw;
      const double watts = sim::gpu_step_energy_j(device, report.step, busy) / report.step.value;
      EXPECT_GT(watts, device.waiting_watts) << name << ", draw " << draw;
      EXPECT_LE(watts, device.board_watts * (1.0 + 1e-12)) << name << ", draw " << draw;
    }
    EXPECT_GT(timed, 20) << name;
  }
}

/// A device of one power at any time: joules are GPU-hours, so that the same is best.
TEST(EnergyAndPrice, WhereWaitingTakesAllThePowerEnergyIsTime) {
  Scenario joules = cost_7b("tokens_per_joule");
  joules.cluster.device.waiting_watts = joules.cluster.device.board_watts;
  const Instance instance(joules, 0);
  Scenario hours = instance.scenario();
  hours.objective.metric = Metric::tokens_per_gpu_hour;
  const double factor = joules.cluster.device.board_watts * 3600.0;
  for (const double seconds : {0.5, 2.0, 7.0}) {
    const sim::Seconds step{seconds};
    EXPECT_NEAR(objective_value(instance.scenario(), joules.baseline, step, 0.3 * step) * factor /
                    objective_value(hours, joules.baseline, step, {}),
                1.0, 1e-14);
  }
}

TEST(EnergyAndPrice, TrueValuesAreThoseOfTheInstance) {
  for (const char* metric : {"tokens_per_joule", "tokens_per_usd"}) {
    const Scenario scenario = cost_7b(metric);
    for (const std::uint64_t number : {0U, 2U}) {
      const Instance instance(scenario, number);
      TrueValues values(instance);
      sim::Workspace workspace;
      Configuration drawn(scenario.space.size());
      for (std::uint64_t draw = 0; draw < draws; ++draw) {
        scenario.space.sample(seed, draw, drawn);
        EXPECT_EQ(values.at(drawn), instance.true_value(drawn, workspace))
            << metric << ", draw " << draw;
      }
    }
  }
}

/// The truth without noise is that of a step; a launch without luck is the truth.
TEST(EnergyAndPrice, WithoutNoiseALaunchIsTheTruth) {
  const std::vector<std::string> sets{"objective.metric=tokens_per_joule", "truth.noise=none"};
  const Scenario scenario = read_scenario(test_scenario("cost-7b"), sets);
  const Instance instance(scenario, 0);
  sim::Workspace workspace;
  const Configuration baseline = scenario.space.from_plan(scenario.baseline).configuration;
  const sim::StepReport report = evaluate(scenario, scenario.baseline, workspace);
  const double value =
      objective_value(scenario, scenario.baseline, report.step, sim::busy_time(report));
  EXPECT_EQ(instance.true_value(baseline, workspace).value, value);
  EXPECT_EQ(instance.launch(baseline, 0, workspace).value, value);
  EXPECT_EQ(instance.judged_launch(baseline, 0, workspace).truth.value, value);
}

/// The best of cost-7b without its deadline, by the plainest way.
struct Best {
  double value = -std::numeric_limits<double>::infinity();
  sim::Plan plan;
};
Best best_of(const Instance& instance) {
  const SearchSpace& space = instance.scenario().space;
  Best best;
  sim::Workspace workspace;
  Configuration configuration(space.size());
  for (std::uint64_t number = 0; number < space.count(); ++number) {
    space.configuration_at(number, configuration);
    const TrueValue value = instance.true_value(configuration, workspace);
    if (value.reason != Reason::none || value.value <= best.value) continue;
    best.value = value.value;
    space.apply(configuration, best.plan);
  }
  return best;
}

TEST(EnergyAndPrice, HaveBestConfigurationsOfTheirOwn) {
  const auto best = [](const char* metric) {
    Scenario scenario = cost_7b(metric);
    scenario.objective.deadline.reset();
    const Instance instance(scenario, 0);
    const Best found = best_of(instance);
    Configuration open(scenario.space.size());
    EXPECT_GE(ValueBound(instance).upper_bound(open, 0), found.value) << metric;
    return found;
  };
  const Best fast = best("tokens_per_s");
  const Best frugal = best("tokens_per_joule");
  const Best cheap = best("tokens_per_usd");
  EXPECT_EQ(fast.plan.gpus, 256);
  EXPECT_LT(frugal.plan.gpus, 256);  // less traffic, and so less waiting
  EXPECT_EQ(cheap.plan.gpus, best("tokens_per_gpu_hour").plan.gpus);
}

TEST(EnergyAndPrice, AreInTheBoundsOfParts) {
  for (const char* metric : {"tokens_per_joule", "samples_per_joule", "tokens_per_usd"}) {
    const Scenario scenario = cost_7b(metric);
    const Instance instance(scenario, 1);
    ValueBound bound(instance);
    sim::Workspace workspace;
    Configuration drawn(scenario.space.size());
    for (std::uint64_t draw = 0; draw < draws; ++draw) {
      scenario.space.sample(seed, draw, drawn);
      const TrueValue value = instance.true_value(drawn, workspace);
      for (std::size_t decided = 0; decided <= scenario.space.size(); ++decided) {
        const double above = bound.upper_bound(drawn, decided);
        EXPECT_TRUE(value.reason != Reason::none || above >= value.value)
            << metric << ", draw " << draw << ", " << decided << " decided";
      }
    }
  }
}

/// What is late waits: jitter costs energy at the power of waiting, and less than in proportion.
TEST(EnergyAndPrice, LateGpusWait) {
  const Scenario field = cost_7b("tokens_per_joule");
  Scenario ideal = field;
  ideal.truth.noise = "none";
  sim::Workspace workspace;
  const sim::StepReport report = evaluate(field, field.baseline, workspace);
  const double joules_ideal =
      tokens / Instance(ideal, 0).true_value(field.baseline, workspace).value;
  const double joules = tokens / Instance(field, 0).true_value(field.baseline, workspace).value;
  EXPECT_GT(joules, joules_ideal);
  const double busy_share = sim::busy_time(report) / report.step;
  EXPECT_GT(busy_share, 0.3);  // else the next would say nothing
  Scenario in_hours = field;
  in_hours.objective.metric = Metric::tokens_per_gpu_hour;
  Scenario ideal_hours = in_hours;
  ideal_hours.truth.noise = "none";
  const double longer = Instance(ideal_hours, 0).true_value(field.baseline, workspace).value /
                        Instance(in_hours, 0).true_value(field.baseline, workspace).value;
  EXPECT_LT(joules / joules_ideal, longer);
}

}  // namespace
}  // namespace cubicbench::scenarios
