#include "datasets/jobs/physics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "datasets/catalog/measured_catalog.h"
#include "datasets/mapping/measured_run.h"
#include "datasets/tables/measurement.h"
#include "scenarios/evaluation/evaluate.h"
#include "scenarios/readers/scenario_reader.h"
#include "sim/base/numeric.h"
#include "tests/counting_new.h"

namespace cubicbench::datasets {
namespace {

using Physics = std::map<std::string, double>;

Physics physics_of(const scenarios::Scenario& scenario, const sim::Plan& plan) {
  const std::vector<Column> columns = physics_columns();
  std::vector<double> cells(columns.size());
  sim::Workspace workspace;
  write_physics(scenario, plan, workspace, cells);
  Physics physics;
  for (std::size_t i = 0; i < columns.size(); ++i) physics[columns[i].name] = cells[i];
  return physics;
}

/// 1.34 B parameters, tied, on `gpus` GPUs of nanotron's sweep.
scenarios::Scenario sweep_scenario(std::int64_t gpus, std::int64_t tp, std::int64_t micro_batch) {
  const Measurements sweep = find_measurements("hf_ultrascale_nanotron_sweep", "the test's table");
  Measurement row = *std::ranges::find(sweep.rows, "hfusp-0001", &Measurement::id);
  row.n_gpus = gpus;
  row.fabric = gpus > 8 ? "efa" : "nvlink";
  row.tp = tp;
  row.dp = gpus / tp;
  row.micro_batch = micro_batch;
  return map_run(row).run->scenario;
}

TEST(Physics, BeginsWithTheNamedColumns) {
  const std::vector<Column> columns = physics_columns();
  ASSERT_GE(columns.size(), 3U);
  EXPECT_EQ(columns[0].name, simulated_column);
  EXPECT_EQ(columns[1].name, memory_column);
  EXPECT_EQ(columns[2].name, slow_column);
}

TEST(Physics, IsTheSimulatorsAnswer) {
  const scenarios::Scenario scenario = sweep_scenario(8, 2, 4);
  sim::Workspace workspace;
  const sim::StepReport report = scenarios::evaluate(scenario, scenario.baseline, workspace);
  ASSERT_EQ(report.status, sim::StepStatus::ok);
  const Physics physics = physics_of(scenario, scenario.baseline);
  // 256 sequences of 4,096 tokens a step, 8 GPUs.
  EXPECT_NEAR(sim::exp(physics.at(simulated_column)), 256.0 * 4096.0 / 8.0 / report.step.value,
              1e-9 * 256.0 * 4096.0 / 8.0 / report.step.value);
  EXPECT_DOUBLE_EQ(physics.at(memory_column), report.memory.demand / report.memory.capacity);
  const auto part = [&](sim::StepPart p) {
    return report.parts[static_cast<std::size_t>(p)].value / report.step.value;
  };
  EXPECT_DOUBLE_EQ(physics.at("host_share"), part(sim::StepPart::host));
  EXPECT_DOUBLE_EQ(physics.at("head_share"), part(sim::StepPart::head_and_loss));
  EXPECT_DOUBLE_EQ(physics.at("model_traffic_share"), part(sim::StepPart::tensor_communication));
  EXPECT_DOUBLE_EQ(physics.at("log2_tensor_parallel"), 1.0);
  EXPECT_DOUBLE_EQ(physics.at("log2_data_parallel"), 2.0);
  EXPECT_DOUBLE_EQ(physics.at("pipelined"), 0.0);
}

TEST(Physics, TimesWhatDoesNotFit) {
  const scenarios::Scenario small = sweep_scenario(8, 1, 2);
  const scenarios::Scenario large = sweep_scenario(8, 1, 32);
  EXPECT_LT(physics_of(small, small.baseline).at(memory_column), 1.0);
  const Physics physics = physics_of(large, large.baseline);
  EXPECT_GT(physics.at(memory_column), 1.0);
  EXPECT_NEAR(physics.at(simulated_column), physics_of(small, small.baseline).at(simulated_column),
              0.2);
}

TEST(Physics, HasNoAnswerToWhatCannotBeLaidOut) {
  scenarios::Scenario scenario = sweep_scenario(8, 1, 2);
  scenario.baseline.tensor_parallel = 3;
  for (const auto& [name, value] : physics_of(scenario, scenario.baseline)) {
    EXPECT_TRUE(std::isnan(value)) << name;
  }
}

TEST(Physics, OneNodeKnowsNoSlowState) {
  const scenarios::Scenario scenario = sweep_scenario(8, 4, 2);
  const Physics physics = physics_of(scenario, scenario.baseline);
  EXPECT_DOUBLE_EQ(physics.at(slow_column), physics.at(simulated_column));
}

// tp = 1: nothing but the reduction of gradients is slower, the scatter and the gather of each of
// 16 layers by 16 ranks x 0.105 ms, of which a share hides.
TEST(Physics, ReductionsAreSlowerByTheSizeOfTheirGroup) {
  const scenarios::Scenario scenario = sweep_scenario(16, 1, 2);
  const Physics physics = physics_of(scenario, scenario.baseline);
  const double tokens = 256.0 * 4096.0 / 16.0;
  const double step = tokens / sim::exp(physics.at(simulated_column));
  const double slow = tokens / sim::exp(physics.at(slow_column));
  EXPECT_NEAR(slow - step, 2.0 * 16.0 * 16.0 * 0.105e-3 * (1.0 - scenario.stack.data_overlap),
              1e-4);
}

// tp = 4 and micro-batch 1: launching bounds a layer, 3.9 ms, to which 4 x 2.1 ms are added in 16
// layers and 256 / 4 micro-batches.
TEST(Physics, LaunchesAreSlowerByTheSizeOfTheGroup) {
  const scenarios::Scenario scenario = sweep_scenario(16, 4, 1);
  const Physics physics = physics_of(scenario, scenario.baseline);
  const double tokens = 256.0 * 4096.0 / 16.0;
  const double step = tokens / sim::exp(physics.at(simulated_column));
  const double slow = tokens / sim::exp(physics.at(slow_column));
  EXPECT_NEAR((slow - step) / (16.0 * 64.0), 0.0084, 0.001);
}

TEST(Physics, OfARecommendationModelFeelsASlowNetworkInItsDensePart) {
  const scenarios::Scenario scenario = scenarios::read_scenario("ads-73b");
  const Physics physics = physics_of(scenario, scenario.baseline);
  EXPECT_TRUE(std::isfinite(physics.at(simulated_column)));
  EXPECT_LT(physics.at(slow_column), physics.at(simulated_column));
}

TEST(Physics, AllocatesNothingTheSecondTime) {
  const scenarios::Scenario scenario = sweep_scenario(16, 2, 2);
  std::vector<double> cells(physics_columns().size());
  sim::Workspace workspace;
  write_physics(scenario, scenario.baseline, workspace, cells);
  const long before = allocation_count();
  write_physics(scenario, scenario.baseline, workspace, cells);
  EXPECT_EQ(allocation_count(), before);
}

}  // namespace
}  // namespace cubicbench::datasets
