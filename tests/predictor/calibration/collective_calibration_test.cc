#include "predictor/calibration/collective_calibration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "datasets/catalog/measured_catalog.h"
#include "datasets/fits/collective_plan.h"
#include "scenarios/constants/collective_constants.h"
#include "sim/network/collective.h"
#include "support/csv.h"
#include "support/input_error.h"

namespace cubicbench::predictor {
namespace {

using Names = std::vector<std::string>;

CalibratedCosts costs_of(const std::string& name) { return find_costs(name, "--collectives"); }

datasets::CollectiveMeasurements table(const std::string& name) {
  const datasets::TableText text = datasets::find_table(name, "FILE");
  return datasets::read_collective_measurements(support::read_csv(text.text, text.file), text.file);
}

/// Sweeps timed by the simulator itself with other numbers: a fit from those that ship finds them.
TEST(CollectiveCalibration, FindsTheNumbersThatMadeTheRows) {
  CalibratedCosts costs = costs_of("nvlink3");
  CalibrationTask task = task_of_tables(costs, Names{"vtrain_allreduce_luts"},
                                        {"simple.share", "simple.base_us"}, "FILE");
  ASSERT_GT(task.rows.collectives.size(), 100U);
  constexpr double share = 0.7;
  constexpr double base = 50e-6;
  for (CalibrationCollective& row : task.rows.collectives) {
    sim::Network network = row.asked.network;
    network.intra.simple.share = share;
    network.intra.simple.base = {base};
    row.measured =
        sim::collective_cost(row.asked.operation, row.asked.size, row.asked.group, network).time;
  }
  const FinishedCalibration fit = run_calibration(costs, task, "FILE");
  ASSERT_EQ(fit.result.constants.size(), 2U);
  EXPECT_NEAR(fit.result.constants[0].after, share, 1e-3);
  EXPECT_NEAR(fit.result.constants[1].after, base * 1e6, 0.1);
  EXPECT_GT(fit.result.error_before, 0.05);
  EXPECT_LT(fit.result.error_after, 1e-3);
}

/// Rows inside a domain are its generation's, those between nodes the fabric's; in place is no
/// measurement of its own.
TEST(CollectiveCalibration, TakesTheRowsThatTheFileTimes) {
  const std::vector<datasets::CollectiveMeasurements> tables{table("nccl_tests_sweeps")};
  const CalibrationRuns inside = calibration_collectives(tables, "nvlink4");
  const CalibrationRuns between = calibration_collectives(tables, "efa");
  ASSERT_FALSE(inside.collectives.empty());
  ASSERT_FALSE(between.collectives.empty());
  for (const CalibrationCollective& row : inside.collectives) {
    EXPECT_EQ(sim::nodes_of(row.asked.group), 1) << row.system;
    EXPECT_EQ(row.asked.domain_costs, "nvlink4") << row.system;
  }
  for (const CalibrationCollective& row : between.collectives) {
    EXPECT_GT(sim::nodes_of(row.asked.group), 1) << row.system;
    EXPECT_EQ(row.asked.fabric_costs, "efa") << row.system;
  }
  EXPECT_GT(inside.skipped.at("in place"), 100U);
  EXPECT_GT(inside.skipped.at("another fabric"), 100U);
  EXPECT_GT(between.skipped.at("another device generation"), 100U);
}

/// Squares of weights: one curve's stretch has as much of them as another's.
TEST(CollectiveCalibration, CountsEveryStretchOfACurveAlike) {
  datasets::CollectiveMeasurements sweep{.file = "s.csv", .name = "s", .rows = {}};
  const auto add = [&](const char* collective, double size) {
    datasets::CollectiveMeasurement row;
    row.system = "one";
    row.gpu = "A100-SXM4-80GB";
    row.n_nodes = 1;
    row.n_gpus = 8;
    row.collective = collective;
    row.size_bytes = size;
    row.time_us = 1000.0;
    sweep.rows.push_back(row);
  };
  constexpr double mib = 1024.0 * 1024.0;
  for (const double size : {128.0, 256.0, 512.0}) add("all_gather", size * mib);
  add("all_reduce", 128.0 * mib);
  const CalibrationRuns runs = calibration_collectives(std::vector{sweep}, "nvlink3");
  ASSERT_EQ(runs.collectives.size(), 4U);
  // four rows in two stretches: two a stretch on average
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_DOUBLE_EQ(runs.collectives[i].weight, std::sqrt(2.0 / 3.0));
  }
  EXPECT_DOUBLE_EQ(runs.collectives[3].weight, std::sqrt(2.0));
}

TEST(CollectiveCalibration, NeedsRowsOfTheCosts) {
  const CalibratedCosts costs = costs_of("ib");
  const CalibrationTask task =
      task_of_tables(costs, Names{"vtrain_allreduce_luts"}, {"reduce.base_us"}, "FILE");
  try {
    run_calibration(costs, task, "FILE");
    ADD_FAILURE();
  } catch (const support::InputError& error) {
    EXPECT_THAT(error.what(),
                testing::HasSubstr("FILE: expected a timed row of ib in vtrain_allreduce_luts, got "
                                   "none"));
  }
}

/// What ships was fitted to one table more: on those of its plan it errs hardly more than a fit.
TEST(CollectiveCalibration, ShipsWhatIsAsGoodAsAFit) {
  constexpr double more = 0.03;
  for (const datasets::CollectivePlan& plan : datasets::collective_plans()) {
    SCOPED_TRACE(plan.of + ": cubicbench calibrate --collectives " + plan.of +
                 " --out scenarios/collectives/" + plan.of + ".json");
    const CalibratedCosts costs = costs_of(plan.of);
    const FinishedCalibration fit = run_calibration(costs, *planned_task(costs), plan.of);
    EXPECT_LE(fit.result.error_after, 0.18);
    EXPECT_LE(fit.result.error_before, fit.result.error_after + more);
  }
}

}  // namespace
}  // namespace cubicbench::predictor
