#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/fits/calibration_plan.h"
#include "predictor/calibration/calibrate.h"
#include "predictor/calibration/calibrated.h"
#include "predictor/calibration/step_term.h"
#include "scenarios/constants/constants.h"
#include "sim/base/units.h"
#include "sim/program/workspace.h"

namespace cubicbench::predictor {

/// A constant of a stack or of a device, whichever is fitted.
struct Knob {
  const scenarios::StackConstant* stack = nullptr;
  const scenarios::DeviceConstant* device = nullptr;

  void set(double value, sim::Stack& of_stack, sim::Device& of_device) const;
};

/// Requires names that exist.
std::vector<Knob> knobs_of(datasets::CalibrationSubject subject,
                           const std::vector<std::string>& names);

/// Them with the values that the stack, or the device, has.
std::vector<Unknown> unknowns_of(const std::vector<Knob>& knobs, const sim::Stack& stack,
                                 const sim::Device& device);

/// What was timed: a run or a kernel.
struct Observation {
  const CalibrationRun* run = nullptr;
  const CalibrationKernel* kernel = nullptr;

  std::string_view model() const;
  sim::Seconds measured() const;
};

using Observations = std::vector<Observation>;

Observations observations_of(const std::vector<CalibrationRun>& runs,
                             const std::vector<CalibrationKernel>& kernels = {});

/// Observations as a function of the constants under trial, `without` a term of the step where one
/// is given. A run that does not fit in memory is timed as if memory held anything. Uses up to
/// `threads` threads (0: all cores), which change no bit. Not to be shared by threads.
class Trial {
 public:
  Trial(Observations of, std::vector<Knob> knobs, int threads, const StepTerm* without = nullptr);

  std::vector<sim::Seconds> times(std::span<const double> values);
  /// ln(simulated / measured).
  void residuals(std::span<const double> values, std::span<double> into);
  /// |simulated / measured - 1|.
  std::vector<double> sizes(std::span<const double> values);

 private:
  sim::Seconds time(const Observation& observation, std::span<const double> values,
                    sim::Workspace& workspace) const;

  Observations of_;
  std::vector<Knob> knobs_;
  int threads_;
  const StepTerm* without_;
  std::vector<sim::Workspace> workspaces_;
};

}  // namespace cubicbench::predictor
