#include "predictor/calibration/calibrate.h"

#include <algorithm>

#include "predictor/calibration/calibrated.h"
#include "predictor/calibration/trial.h"
#include "sim/base/check.h"

namespace cubicbench::predictor {
namespace {

/// That of the first run; of kernels alone, of the first kernel's device.
double value_before(const Knob& knob, const std::vector<CalibrationRun>& runs,
                    const std::vector<CalibrationKernel>& kernels) {
  if (runs.empty()) return knob.value(sim::Stack{}, kernels.front().device);
  const scenarios::Scenario& first = runs.front().scenario;
  return knob.value(first.stack, first.cluster.device);
}

}  // namespace

Calibration calibrate(const std::vector<CalibrationRun>& runs, CalibrationSubject subject,
                      const std::vector<std::string>& names, int threads) {
  return calibrate(runs, {}, subject, names, threads);
}

Calibration calibrate(const std::vector<CalibrationRun>& runs,
                      const std::vector<CalibrationKernel>& kernels, CalibrationSubject subject,
                      const std::vector<std::string>& names, int threads) {
  const Observations all = observations_of(runs, kernels);
  SIM_ASSERT(!all.empty() && !names.empty(), all.size(), names.size());
  SIM_ASSERT(kernels.empty() || subject == CalibrationSubject::device, kernels.size());
  const std::vector<Knob> knobs = knobs_of(subject, names);
  std::vector<Unknown> unknowns;
  for (const Knob& knob : knobs) {
    unknowns.push_back({.name = knob.name(),
                        .before = value_before(knob, runs, kernels),
                        .min = knob.min(),
                        .max = knob.max()});
  }
  return calibrated(all, unknowns,
                    [&](const Observations& some) { return Trial(some, knobs, threads); });
}

}  // namespace cubicbench::predictor
