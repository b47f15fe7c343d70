#include "predictor/calibration/calibrate.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "datasets/catalog/measured_catalog.h"
#include "datasets/mapping/library.h"
#include "predictor/calibration/calibration_runs.h"
#include "scenarios/constants/constants.h"
#include "scenarios/evaluation/evaluate.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::predictor {
namespace {

constexpr double gemm_factor = 0.83;
constexpr double launch_us = 71.0;

/// Runs of vTrain's plans that took as long as the simulator says with the constants above.
std::vector<CalibrationRun> simulated_runs() {
  const std::vector<datasets::Measurements> tables{
      datasets::find_measurements("vtrain", "the test's table")};
  const CalibrationRuns all = calibration_runs(tables, CalibrationSubject::stack, "megatron-2021");
  std::vector<CalibrationRun> runs;
  sim::Workspace workspace;
  for (std::size_t i = 0; i < all.runs.size(); i += 10) {
    CalibrationRun run = all.runs[i];
    scenarios::Scenario scenario = run.scenario;
    set_value(*scenarios::find_stack_constant("gemm_factor"), gemm_factor, scenario.stack);
    set_value(*scenarios::find_stack_constant("launch_us"), launch_us, scenario.stack);
    run.step =
        scenarios::evaluate_roomy(scenario, scenario.baseline, scenario.cluster.state, workspace)
            .step;
    runs.push_back(std::move(run));
  }
  return runs;
}

TEST(Calibrate, FindsTheConstantsOfSimulatedRuns) {
  const Calibration found =
      calibrate(simulated_runs(), {}, CalibrationSubject::stack, {"gemm_factor", "launch_us"});
  ASSERT_EQ(found.constants.size(), 2U);
  EXPECT_NEAR(found.constants[0].after, gemm_factor, 1e-4);
  EXPECT_NEAR(found.constants[1].after, launch_us, 1e-2);
  EXPECT_GT(found.error_before, 0.05);
  EXPECT_LT(found.error_after, 1e-4);
  ASSERT_TRUE(found.error_left_out);
  EXPECT_LT(*found.error_left_out, 1e-4);
  EXPECT_EQ(found.sizes_left_out.size(), found.rows);
  EXPECT_TRUE(found.by_model);  // eight models for two constants
}

TEST(Calibrate, IsNotMisledByAFewRunsThatWereTwiceAsSlow) {
  std::vector<CalibrationRun> runs = simulated_runs();
  for (std::size_t i = 0; i < runs.size(); i += 7) runs[i].step = 2.0 * runs[i].step;
  const Calibration found =
      calibrate(runs, {}, CalibrationSubject::stack, {"gemm_factor", "launch_us"});
  EXPECT_NEAR(found.constants[0].after, gemm_factor, 0.01 * gemm_factor);
  EXPECT_NEAR(found.constants[1].after, launch_us, 0.01 * launch_us);
}

TEST(Calibrate, IsTheSameOnAnyNumberOfThreads) {
  const std::vector<CalibrationRun> runs = simulated_runs();
  const std::vector<std::string> names{"gemm_factor", "element_wise_factor"};
  const Calibration one = calibrate(runs, {}, CalibrationSubject::stack, names, 1);
  for (const int threads : {2, 8}) {
    const Calibration more = calibrate(runs, {}, CalibrationSubject::stack, names, threads);
    EXPECT_EQ(more.sizes_after, one.sizes_after);
    EXPECT_EQ(more.sizes_left_out, one.sizes_left_out);
    for (std::size_t i = 0; i < names.size(); ++i) {
      EXPECT_EQ(more.constants[i].after, one.constants[i].after);
      EXPECT_EQ(more.constants[i].low, one.constants[i].low);
    }
  }
}

TEST(Calibrate, OneModelLeavesNothingOut) {
  std::vector<CalibrationRun> runs = simulated_runs();
  for (CalibrationRun& run : runs) run.model = "one";
  const Calibration found = calibrate(runs, {}, CalibrationSubject::stack, {"gemm_factor"});
  EXPECT_EQ(found.models, 1U);
  EXPECT_FALSE(found.by_model);
  EXPECT_FALSE(found.error_left_out);
  EXPECT_TRUE(found.sizes_left_out.empty());
}

/// A run whose memory is so nearly full that the allocator waits.
CalibrationRun nearly_full_run() {
  CalibrationRun run;
  scenarios::Scenario& scenario = run.scenario;
  scenario.workload = sim::llama_8b();
  scenario.cluster = sim::round_cluster(8);
  scenario.stack = sim::round_stack();
  scenario.baseline.global_batch = 8;
  scenario.baseline.sharding = sim::Sharding::full_shard;
  sim::Workspace workspace;
  sim::StepReport report;
  for (double gib = 400.0; gib > 1.0; gib *= 0.998) {
    scenario.cluster.device.memory = sim::Bytes{gib * 0x1p30};
    report = scenarios::evaluate(scenario, scenario.baseline, workspace);
    if (report.parts[static_cast<std::size_t>(sim::StepPart::allocator_retries)].value > 0.0) break;
  }
  EXPECT_EQ(report.status, sim::StepStatus::ok);
  run.step = report.step;
  run.model = "nearly full";
  return run;
}

TEST(Calibrate, ARunThatNearlyFillsItsMemoryIsTimedWithItsWaits) {
  const std::vector<CalibrationRun> runs(3, nearly_full_run());
  const Calibration found = calibrate(runs, {}, CalibrationSubject::stack, {"gemm_factor"});
  EXPECT_LT(found.error_before, 1e-12);
}

TEST(Calibrate, SaysWhichValueItsBoundsStopped) {
  std::vector<CalibrationRun> runs = simulated_runs();
  for (CalibrationRun& run : runs) run.step = 1e-3 * run.step;  // faster than anything
  const Calibration fast = calibrate(runs, {}, CalibrationSubject::stack, {"gemm_factor"});
  EXPECT_TRUE(fast.constants[0].at_bound);
  const Calibration found =
      calibrate(simulated_runs(), {}, CalibrationSubject::stack, {"gemm_factor"});
  EXPECT_FALSE(found.constants[0].at_bound);
}

TEST(Calibrate, FindsTheConstantsOfADeviceFromItsKernels) {
  const sim::Device shipped = datasets::library().devices.find("h100-sxm-80gb")->second;
  sim::Device device = shipped;
  device.attention_efficiency[static_cast<std::size_t>(sim::AttentionKernel::flash2)] = 0.41;
  device.attention_s_half = 333.0;
  std::vector<CalibrationKernel> kernels;
  for (const double length : {512.0, 1024.0, 2048.0, 4096.0, 8192.0}) {
    datasets::TimedKernel timed{
        .device = "h100-sxm-80gb",
        .kernel =
            datasets::TimedAttention{
                .kernel = sim::AttentionKernel::flash2,
                .shape = {.queries = length, .keys = length, .heads = 512.0, .head_size = 128.0}},
        .time = {},
        .group = "flash2"};
    timed.time = datasets::simulated_time(timed, device);
    kernels.push_back({.timed = timed, .device = shipped});
  }
  const Calibration found = calibrate({}, kernels, CalibrationSubject::device,
                                      {"attention_efficiency.flash2", "attention_s_half"});
  EXPECT_NEAR(found.constants[0].after, 0.41, 1e-3);
  EXPECT_NEAR(found.constants[1].after, 333.0, 1.0);
  EXPECT_EQ(found.constants[1].before, shipped.attention_s_half);
}

TEST(Calibrate, TellsWhichConstantsTheRunsLeaveOpen) {
  // Plans without tensor parallelism in pairs: what asynchronous overlap hides shows nowhere.
  const Calibration found = calibrate(simulated_runs(), {}, CalibrationSubject::stack,
                                      {"gemm_factor", "async_tensor_overlap"});
  EXPECT_TRUE(found.constants[0].told_apart);
  EXPECT_FALSE(found.constants[1].told_apart);
}

}  // namespace
}  // namespace cubicbench::predictor
