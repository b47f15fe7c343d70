#include "predictor/calibration/calibrate.h"

#include "predictor/calibration/calibrated.h"
#include "predictor/calibration/trial.h"
#include "sim/base/check.h"

namespace cubicbench::predictor {

Calibration calibrate(const std::vector<CalibrationRun>& runs,
                      const std::vector<CalibrationKernel>& kernels, CalibrationSubject subject,
                      const std::vector<std::string>& names, int threads) {
  const Observations all = observations_of(runs, kernels);
  SIM_ASSERT(!all.empty() && !names.empty(), all.size(), names.size());
  SIM_ASSERT(kernels.empty() || subject == CalibrationSubject::device, kernels.size());
  const std::vector<Knob> knobs = knobs_of(subject, names);
  const scenarios::Scenario* const first = runs.empty() ? nullptr : &runs.front().scenario;
  const std::vector<Unknown> unknowns =
      first != nullptr ? unknowns_of(knobs, first->stack, first->cluster.device)
                       : unknowns_of(knobs, sim::Stack{}, kernels.front().device);
  return calibrated(all, unknowns,
                    [&](const Observations& some) { return Trial(some, knobs, threads); });
}

}  // namespace cubicbench::predictor
