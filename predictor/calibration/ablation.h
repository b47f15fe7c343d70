#pragma once

#include <string>
#include <vector>

#include "predictor/calibration/calibrate.h"
#include "predictor/calibration/step_term.h"
#include "sim/base/units.h"

namespace cubicbench::predictor {

/// Runs timed without one term, by constants that were fitted again to make up for it.
struct AblatedTerm {
  const StepTerm* term = nullptr;  ///< null: nothing is left out
  /// Whether a run takes another time without it. Where none does, nothing is fitted again.
  bool in_runs = true;
  std::vector<sim::Seconds> steps;  ///< of every run
};

/// Fits the named constants of the stack that all runs share, first with the whole model and then,
/// from what was found, without each of step_terms(). The first entry leaves nothing out, the
/// others stand in the order of step_terms(). Uses up to `threads` threads (0: all cores), which
/// change no bit. Requires runs, and names that exist.
std::vector<AblatedTerm> ablate(const std::vector<CalibrationRun>& runs,
                                const std::vector<std::string>& names, int threads = 1);

}  // namespace cubicbench::predictor
