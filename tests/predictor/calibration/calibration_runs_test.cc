#include "predictor/calibration/calibration_runs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "datasets/catalog/measured_catalog.h"
#include "datasets/fits/calibration_plan.h"
#include "datasets/mapping/library.h"
#include "datasets/tables/measurement.h"

namespace cubicbench::predictor {
namespace {

using datasets::CalibrationSubject;

/// A run of vTrain's smallest model, and rows that say nothing of time or of that stack.
datasets::Measurements rows_of_all_kinds() {
  datasets::Measurements table = datasets::find_measurements("vtrain", "test");
  table.rows.resize(1);
  table.rows.front().vocab = 51'200;  // stated, so that any stack takes it
  const datasets::Measurement good = table.rows.front();
  const auto add = [&](auto change) {
    datasets::Measurement row = good;
    change(row);
    table.rows.push_back(row);
  };
  add([](auto& row) { row.status = datasets::MeasurementStatus::oom; });
  add([](auto& row) { row.quality = datasets::MeasurementQuality::early_pp; });
  add([](auto& row) { row.step_time_s = row.tokens_per_s_per_gpu = std::nullopt; });
  add([](auto& row) { row.framework = row.stack = "nanotron"; });
  add([](auto& row) { row.device = "abacus"; });
  return table;
}

TEST(CalibrationRuns, CountByReasonTheRowsThatTellNothing) {
  const std::vector<datasets::Measurements> tables{rows_of_all_kinds()};
  const CalibrationRuns runs = calibration_runs(tables, CalibrationSubject::stack, "megatron-2021");
  ASSERT_EQ(runs.runs.size(), 1U);
  EXPECT_EQ(runs.runs.front().scenario.stack_name, "megatron-2021");
  EXPECT_DOUBLE_EQ(runs.runs.front().step.value, *tables.front().rows.front().step_time_s);
  EXPECT_EQ(runs.runs.front().model, tables.front().rows.front().model);
  EXPECT_EQ(runs.skipped.at("status oom"), 1U);
  EXPECT_EQ(runs.skipped.at("quality early_pp"), 1U);
  EXPECT_EQ(runs.skipped.at("no time"), 1U);
  EXPECT_EQ(runs.skipped.at("another stack"), 1U);
  std::size_t skipped = 0;
  for (const auto& [reason, count] : runs.skipped) skipped += count;
  EXPECT_EQ(skipped, 5U);
}

TEST(CalibrationRuns, OfADeviceMayBeOfAnyStack) {
  const std::vector<datasets::Measurements> tables{rows_of_all_kinds()};
  const CalibrationRuns runs =
      calibration_runs(tables, CalibrationSubject::device, "a100-sxm-80gb");
  EXPECT_EQ(runs.runs.size(), 2U);
  EXPECT_EQ(
      calibration_runs(tables, CalibrationSubject::device, "v100-sxm").skipped.at("another device"),
      2U);
}

TEST(CalibrationRuns, OfADeviceOfOnesOwnAreKnownWhereItIs) {
  const std::vector<datasets::Measurements> tables{rows_of_all_kinds()};
  datasets::Library among = datasets::library();
  sim::Device own = among.devices.at("a100-sxm-80gb");
  own.gemm_efficiency = 0.5;
  among.devices.insert_or_assign("abacus", own);
  const CalibrationRuns runs =
      calibration_runs(tables, CalibrationSubject::device, "abacus", among);
  ASSERT_EQ(runs.runs.size(), 1U);
  EXPECT_EQ(runs.runs.front().scenario.device, "abacus");
  EXPECT_EQ(runs.runs.front().scenario.cluster.device.gemm_efficiency, 0.5);
  const CalibrationRuns of_a100 =
      calibration_runs(tables, CalibrationSubject::device, "a100-sxm-80gb");
  EXPECT_EQ(runs.runs.front().scenario.network, of_a100.runs.front().scenario.network);
  EXPECT_EQ(calibration_runs(tables, CalibrationSubject::device, "abacus")
                .skipped.at("no device \"abacus\" in the library"),
            1U);
}

TEST(CalibrationRuns, OfSeveralSelectionsCountEveryRowOnce) {
  datasets::CalibrationPlan plan = *datasets::find_calibration_plan("a100 matrix products");
  plan.rows = {plan.rows[0], plan.rows[0]};
  plan.rows[0].source = "Azure";
  plan.rows[1].source = "LLMCompass";
  const CalibrationRuns runs = calibration_runs(plan);
  std::size_t rows = runs.kernels.size();
  for (const auto& [reason, count] : skipped_by_count(runs)) rows += count;
  EXPECT_EQ(rows, datasets::find_kernel_measurements(plan.rows[0].table).rows.size());
  const auto reasons = skipped_by_count(runs);
  EXPECT_TRUE(std::ranges::is_sorted(reasons, std::greater<>{},
                                     [](const auto& reason) { return reason.second; }));
}

TEST(CalibrationRuns, OfEveryPlanAreThere) {
  for (const datasets::CalibrationPlan& plan : datasets::calibration_plans()) {
    SCOPED_TRACE(plan.name);
    const CalibrationRuns runs = calibration_runs(plan);
    EXPECT_GT(runs.runs.size() + runs.kernels.size(), plan.fit.size());
    for (const CalibrationKernel& kernel : runs.kernels) EXPECT_EQ(kernel.timed.device, plan.of);
    for (const CalibrationRun& run : runs.runs) {
      const bool of_stack = plan.subject == CalibrationSubject::stack;
      EXPECT_EQ(of_stack ? run.scenario.stack_name : run.scenario.device, plan.of);
    }
  }
}

TEST(CalibrationRuns, ArePlayedOnTheNetworkThatTheyMeasured) {
  const CalibrationRuns runs = calibration_runs(*datasets::find_calibration_plan("nanotron-2024"));
  std::size_t waiting = 0;
  for (const CalibrationRun& run : runs.runs) {
    if (run.scenario.cluster.state.launch_wait.value > 0.0) ++waiting;
  }
  EXPECT_GT(waiting, 0U);
  EXPECT_LT(waiting, runs.runs.size());
}

TEST(CalibrationRuns, OfRecommendationResultsCountOnce) {
  const std::vector<datasets::RecommendationMeasurements> tables{
      datasets::find_recommendation_measurements("mlperf_dlrm_results", "test")};
  const CalibrationRuns runs = calibration_runs(tables, CalibrationSubject::stack, "hugectr-2023");
  EXPECT_EQ(runs.runs.size(), 9U);
  EXPECT_EQ(runs.skipped.at("another stack"), 3U);  // release 23.04
  EXPECT_EQ(runs.skipped.at("a result of an earlier round"), 3U);
  const CalibrationRun& first = runs.runs.front();  // 135,168 samples at 46,847,559 a second
  EXPECT_EQ(first.model, "mlperf_dlrm_results:5");
  EXPECT_DOUBLE_EQ(first.step.value, 135'168.0 / 46'847'559.0);
  const CalibrationRuns of_device =
      calibration_runs(tables, CalibrationSubject::device, "b200-sxm");
  EXPECT_EQ(of_device.runs.size(), 2U);
}

TEST(CalibrationRuns, AreLeftOutAsThePlanSays) {
  datasets::CalibrationPlan plan = *datasets::find_calibration_plan("hugectr-2023");
  const auto groups = [&](datasets::LeftOut left_out) {
    plan.left_out = left_out;
    std::set<std::string> names;
    for (const CalibrationRun& run : calibration_runs(plan).runs) names.insert(run.model);
    return names;
  };
  EXPECT_EQ(groups(datasets::LeftOut::model), std::set<std::string>{"dlrm_dcnv2"});
  EXPECT_EQ(groups(datasets::LeftOut::generation), (std::set<std::string>{"Blackwell", "Hopper"}));
  EXPECT_EQ(groups(datasets::LeftOut::row).size(), 9U);
}

}  // namespace
}  // namespace cubicbench::predictor
