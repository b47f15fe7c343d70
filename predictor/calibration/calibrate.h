#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/fits/calibration_plan.h"
#include "datasets/mapping/mapped_collective.h"
#include "datasets/mapping/mapped_kernel.h"
#include "datasets/tables/measurement.h"
#include "scenarios/constants/constants.h"
#include "scenarios/problem/scenario.h"
#include "sim/base/units.h"
#include "sim/hardware/device.h"

namespace cubicbench::predictor {

/// A timed run that constants are fitted to.
struct CalibrationRun {
  scenarios::Scenario scenario;  ///< its baseline is the plan that ran
  sim::Seconds step;             ///< measured
  std::string model;             ///< or what else is left out together (datasets::LeftOut)
  datasets::Measurement row{};   ///< as its table has it; nothing of a recommendation result
};

/// A kernel that was timed on its own, to which constants of a device are fitted. Kernels of one
/// group are left out together, as runs of a model are.
struct CalibrationKernel {
  datasets::TimedKernel timed;
  sim::Device device;
};

/// A collective that was timed, to which numbers of a file of scenarios/collectives are fitted.
/// Those of one system are left out together.
struct CalibrationCollective {
  datasets::AskedCollective asked;
  sim::Seconds measured;
  std::string system;
  double weight = 1.0;  ///< of its residual: a sweep counts as much as one of fewer sizes

  std::string_view model() const { return system; }
};

using datasets::CalibrationSubject;

struct FittedConstant {
  std::string_view name;
  double before = 0.0;
  double after = 0.0;
  double low = 0.0;  ///< 90 % interval: `Calibration::by_model`
  double high = 0.0;
  bool told_apart = true;  ///< the rows tell it from every combination of the others
  bool at_bound = false;   ///< the rows would have it beyond what its file may give
};

struct Calibration {
  std::vector<FittedConstant> constants;
  std::size_t rows = 0;
  std::size_t models = 0;  ///< groups of kernels are counted among them
  /// Whether intervals count rows of one model as one observation. Each row is one of its own where
  /// there are not five models more than constants.
  bool by_model = true;
  /// Median |simulated / measured - 1|.
  double error_before = 0.0;
  double error_after = 0.0;
  std::optional<double> error_left_out;  ///< each model by constants fitted to the others
  std::vector<double> sizes_before;      ///< |simulated / measured - 1| row by row
  std::vector<double> sizes_after;
  std::vector<double> sizes_left_out;  ///< model by model; none where there is only one
};

/// Fits the named constants of `subject` in all runs, from the values of the first run's; those of
/// a device to runs, kernels, or both. All runs share one stack, or one device. Steps that do not
/// fit are timed as if memory held anything; runs that cannot be laid out are no runs. Requires
/// rows and names that exist. Uses up to `threads` threads (0: all cores), which change no bit.
Calibration calibrate(const std::vector<CalibrationRun>& runs,
                      const std::vector<CalibrationKernel>& kernels, CalibrationSubject subject,
                      const std::vector<std::string>& names, int threads = 1);

}  // namespace cubicbench::predictor
