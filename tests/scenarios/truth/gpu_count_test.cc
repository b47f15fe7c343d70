// A scenario that lets the GPU count vary holds a scenario of each count: a configuration that
// takes N of the cluster's GPUs is worth what it is worth on a cluster of N.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "scenarios/evaluation/evaluate.h"
#include "scenarios/readers/scenario_reader.h"
#include "scenarios/truth/instance.h"
#include "scenarios/truth/true_values.h"
#include "sim/plan/plan_cluster.h"
#include "support/json/strict_json.h"
#include "tests/scenarios/broken_file.h"

namespace cubicbench::scenarios {
namespace {

constexpr std::uint64_t draws = 60;
constexpr std::uint64_t seed = 24;

Scenario cost_problem() { return read_scenario(test_scenario("cost-7b")); }

/// The same problem on a cluster of `gpus` GPUs, all of which every configuration takes.
Scenario cost_on(std::int64_t gpus) {
  nlohmann::ordered_json json = support::parse_json(scenario_text("cost-7b"), "x");
  json["cluster"]["gpus"] = gpus;
  json["space"]["parameters"].erase(0);
  json["baseline"].erase("gpus");
  const std::string name = "cost-on-" + std::to_string(gpus) + ".json";
  write(name, json.dump());
  return read_scenario(in_test_folder(name));
}

const std::vector<std::int64_t>& counts(const Scenario& scenario) {
  return scenario.space.parameters()[static_cast<std::size_t>(scenario.space.find("gpus"))].values;
}

void expect_same(double got, double wanted, const char* what) {
  EXPECT_EQ(std::bit_cast<std::uint64_t>(got), std::bit_cast<std::uint64_t>(wanted))
      << what << ": " << got << " " << wanted;
}

/// Every number of them.
void expect_same(const sim::StepReport& got, const sim::StepReport& wanted) {
  EXPECT_EQ(got.status, wanted.status);
  EXPECT_EQ(got.violation.rule, wanted.violation.rule);
  EXPECT_EQ(got.parts, wanted.parts);
  EXPECT_EQ(got.memory.parts, wanted.memory.parts);
  EXPECT_EQ(got.memory.stage, wanted.memory.stage);
  expect_same(got.step.value, wanted.step.value, "step");
  expect_same(got.memory.demand.value, wanted.memory.demand.value, "demand");
}

/// The same layout on another number of GPUs, which need not be one of the space's.
sim::Plan on(sim::Plan plan, std::int64_t gpus) {
  plan.gpus = gpus;
  return plan;
}

TEST(GpuCount, HasTheValuesOfAClusterOfThatSize) {
  const Scenario scenario = cost_problem();
  const Instance instance(scenario, 0);
  sim::Workspace workspace;
  for (const std::int64_t gpus : counts(scenario)) {
    SCOPED_TRACE(gpus);
    const Scenario alone = cost_on(gpus);
    const Instance instance_alone(alone, 0);
    Configuration drawn(alone.space.size());
    int timed = 0;
    for (std::uint64_t draw = 0; draw < draws; ++draw) {
      sim::Plan plan;
      alone.space.sample(seed, draw, drawn);
      alone.space.apply(drawn, plan);
      const sim::Plan part = on(plan, gpus);
      const TrueValue got = instance.true_value(part, workspace);
      const TrueValue wanted = instance_alone.true_value(plan, workspace);
      EXPECT_EQ(got.reason, wanted.reason);
      expect_same(got.value, wanted.value, "value");
      const sim::StepReport step = evaluate(scenario, part, workspace);
      expect_same(step, evaluate(alone, plan, workspace));
      if (step.status != sim::StepStatus::ok) continue;
      ++timed;
      expect_same(mfu(scenario, part, step.step), mfu(alone, plan, step.step), "mfu");
      expect_same(training_days(scenario, part, step.step), training_days(alone, plan, step.step),
                  "days");
    }
    EXPECT_GT(timed, 5);
  }
}

TEST(GpuCount, IsRememberedByTrueValues) {
  const Scenario scenario = cost_problem();
  for (const std::uint64_t number : {0U, 3U}) {
    const Instance instance(scenario, number);
    TrueValues values(instance);
    sim::Workspace workspace;
    Configuration drawn(scenario.space.size());
    for (std::uint64_t draw = 0; draw < 10 * draws; ++draw) {
      scenario.space.sample(seed, draw, drawn);
      EXPECT_EQ(values.at(drawn), instance.true_value(drawn, workspace)) << "draw " << draw;
    }
  }
}

TEST(GpuCount, IsPlayedByTheEventEngine) {
  const Scenario scenario = cost_problem();
  sim::Workspace workspace;
  for (const std::int64_t gpus : {32, 96}) {
    SCOPED_TRACE(gpus);
    const Scenario alone = cost_on(gpus);
    for (const std::int64_t pipeline : {1, 2}) {
      sim::Plan plan = alone.baseline;
      plan.tensor_parallel = 2;
      plan.pipeline_parallel = pipeline;
      const sim::EventReport got = play(scenario, on(plan, gpus), {}, workspace);
      const sim::EventReport wanted = play(alone, plan, {}, workspace);
      ASSERT_EQ(wanted.step.status, sim::StepStatus::ok);
      expect_same(got.step, wanted.step);
      EXPECT_EQ(got.counts.ranks, wanted.counts.ranks);
      EXPECT_EQ(got.counts.events, wanted.counts.events);
    }
  }
}

TEST(GpuCount, IsChargedAndDrawnAsThatOfTheLaunch) {
  const Scenario scenario = cost_problem();
  const Instance instance(scenario, 0);
  sim::Workspace workspace;
  const SearchSpace& space = scenario.space;
  Configuration configuration(space.size());
  for (std::uint64_t draw = 0; draw < draws; ++draw) {
    space.sample(seed, draw, configuration);
    sim::Plan plan;
    space.apply(configuration, plan);
    const TrialOutcome outcome = instance.launch(configuration, 0, workspace);
    EXPECT_DOUBLE_EQ(outcome.cost_gpu_hours, outcome.duration_h * static_cast<double>(plan.gpus));
  }
}

TEST(GpuCount, TokensPerGpuHourAreTokensOverWhatTheyCost) {
  Scenario scenario = cost_problem();
  const sim::Seconds step{2.0};
  const sim::Plan plan = on(scenario.baseline, 64);
  // 1,536 sequences of 4,096 tokens in 2 s on 64 GPUs, 3,600 s an hour.
  EXPECT_DOUBLE_EQ(objective_value(scenario, plan, step, {}),
                   1536.0 * 4096.0 / 2.0 * 3600.0 / 64.0);
  scenario.objective.metric = Metric::tokens_per_s_per_gpu;
  EXPECT_DOUBLE_EQ(objective_value(scenario, plan, step, {}), 1536.0 * 4096.0 / 2.0 / 64.0);
  EXPECT_DOUBLE_EQ(objective_value(scenario, on(plan, 0), step, {}), 1536.0 * 4096.0 / 2.0 / 256.0);
}

TEST(GpuCount, InPartOfANodeOrTheLastOneCountsNodes) {
  sim::Cluster cluster;
  cluster.gpus = 64;
  cluster.gpus_per_node = 8;
  EXPECT_EQ(sim::nodes_of({}, cluster), 8);
  EXPECT_EQ(sim::nodes_of({.gpus = 4}, cluster), 1);
  EXPECT_EQ(sim::nodes_of({.gpus = 24}, cluster), 3);
  EXPECT_EQ(sim::cluster_of({.gpus = 24}, cluster).gpus, 24);
  EXPECT_EQ(sim::cluster_of({}, cluster), cluster);
}

}  // namespace
}  // namespace cubicbench::scenarios
