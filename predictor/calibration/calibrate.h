#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/calibration_plan.h"
#include "datasets/measurement.h"
#include "scenarios/constants.h"
#include "scenarios/scenario.h"
#include "sim/base/units.h"

namespace cubicbench::predictor {

/// A timed run that constants are fitted to.
struct CalibrationRun {
  scenarios::Scenario scenario;  ///< its baseline is the plan that ran
  sim::Seconds step;             ///< measured
  std::string model;             ///< runs of one model are left out together
  datasets::Measurement row{};   ///< as its table has it
};

using datasets::CalibrationSubject;

struct FittedConstant {
  std::string_view name;
  double before = 0.0;
  double after = 0.0;
  double low = 0.0;  ///< 90 % interval, runs of one model counted as one observation
  double high = 0.0;
};

struct Calibration {
  std::vector<FittedConstant> constants;
  std::size_t rows = 0;
  /// Median |simulated / measured - 1|.
  double error_before = 0.0;
  double error_after = 0.0;
  std::optional<double> error_left_out;  ///< each model by constants fitted to the others
};

/// Fits the named constants of `subject` in all runs, from the values of the first run's. All runs
/// share one stack, or one device. Steps are timed as if memory held anything; runs that cannot be
/// laid out are no runs. Requires runs and names that exist.
Calibration calibrate(const std::vector<CalibrationRun>& runs, CalibrationSubject subject,
                      const std::vector<std::string>& names);

}  // namespace cubicbench::predictor
