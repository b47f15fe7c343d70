#pragma once

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "datasets/fits/calibration_plan.h"
#include "datasets/mapping/library.h"
#include "datasets/tables/kernel_measurement.h"
#include "datasets/tables/measurement.h"
#include "datasets/tables/recommendation_measurement.h"
#include "predictor/calibration/calibrate.h"

namespace cubicbench::predictor {

/// Runs, kernels and collectives that constants can be fitted to, and how many rows were neither.
struct CalibrationRuns {
  std::vector<CalibrationRun> runs;                ///< in the order of the tables
  std::vector<CalibrationKernel> kernels;          ///< likewise
  std::vector<CalibrationCollective> collectives;  ///< likewise
  std::map<std::string, std::size_t> skipped;      ///< by reason: "status oom", "another stack"
};

/// The rows of `tables` that trained with the stack, or on the device, of that name ("": any):
/// status ok, quality ok, timed, and of a plan that can be laid out. Each is played on the network
/// that it measured before training. The step is that of the batch that is simulated. Stacks and
/// devices that rows name are looked up `among` those.
CalibrationRuns calibration_runs(std::span<const datasets::Measurements> tables,
                                 datasets::CalibrationSubject subject, const std::string& of,
                                 const datasets::Library& among = datasets::library());

/// The same of recommendation results, without those that were carried over from an earlier round.
/// Each is left out on its own.
CalibrationRuns calibration_runs(std::span<const datasets::RecommendationMeasurements> tables,
                                 datasets::CalibrationSubject subject, const std::string& of);

/// The kernels of `tables` that ran on the device of that name ("": any), looked up `among` those.
CalibrationRuns calibration_kernels(std::span<const datasets::KernelMeasurements> tables,
                                    const std::string& device,
                                    const datasets::Library& among = datasets::library());

/// Those of a plan, runs and kernels: rows that any of its selections asks for, each once.
CalibrationRuns calibration_runs(const datasets::CalibrationPlan& plan);

/// Why rows were not used and how many, most of them first.
std::vector<std::pair<std::string, std::size_t>> skipped_by_count(const CalibrationRuns& runs);

}  // namespace cubicbench::predictor
