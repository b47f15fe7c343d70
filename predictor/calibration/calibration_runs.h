#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "datasets/calibration_plan.h"
#include "datasets/measurement.h"
#include "predictor/calibration/calibrate.h"

namespace cubicbench::predictor {

/// Runs that constants can be fitted to, and how many rows were none.
struct CalibrationRuns {
  std::vector<CalibrationRun> runs;            ///< in the order of the tables
  std::map<std::string, std::size_t> skipped;  ///< by reason: "status oom", "another stack"
};

/// The rows of `tables` that trained with the stack, or on the device, of that name: status ok,
/// quality ok, timed, and of a plan that can be laid out. Each is played on the network that it
/// measured before training. The step is that of the batch that is simulated.
CalibrationRuns calibration_runs(std::span<const datasets::Measurements> tables,
                                 datasets::CalibrationSubject subject, const std::string& of);

/// Those of a plan. A plan of single kernels has none.
CalibrationRuns calibration_runs(const datasets::CalibrationPlan& plan);

}  // namespace cubicbench::predictor
