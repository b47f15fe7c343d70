#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "datasets/fits/calibration_plan.h"
#include "datasets/validation/rank_agreement.h"
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

/// How far off runs are without a term.
struct TermErrors {
  const StepTerm* term = nullptr;  ///< null: nothing is left out
  bool in_runs = true;  ///< of several stacks, whether any has it; where none does, nothing changes
  std::optional<double> median_abs_rel_error{}, p90_abs_rel_error{};
  datasets::RankAgreement ranks{};
};

/// The runs that constants of one stack, or of all stacks, are fitted to.
struct AblatedRuns {
  std::string stack{};  ///< "" for all
  std::vector<std::string> constants{};
  std::int64_t rows = 0, models = 0;
  std::vector<TermErrors> terms{};  ///< the whole model first, then as step_terms()
};

/// A plan that ships, carried out.
struct FittedPlan {
  std::string name, of;
  CalibrationSubject subject = CalibrationSubject::stack;
  std::int64_t constants_of_subject = 0;  ///< fitted ones, over all of its plans
  Calibration calibration;
};

struct Ablation {
  AblatedRuns all;
  std::vector<AblatedRuns> stacks;  ///< in the order of their first plans
  std::vector<FittedPlan> plans;    ///< in their order
};

/// At most so many constants may be fitted.
std::int64_t constants_max(CalibrationSubject subject);

/// Error of models that were left out over that of the fit; nothing where there is one model only.
std::optional<double> left_out_ratio(const FittedPlan& plan);

/// Leaves out one term after the other and fits the constants of each stack again, from the values
/// that ship, to the runs of all its plans; and carries out every plan as `calibrate` does, runs
/// and kernels, those of one subject one after the other, with each model left out once. A run that
/// two plans of a stack name counts once. Takes seconds a stack. Uses up to `threads` threads (0:
/// all cores), which change no bit.
Ablation ablation_of(std::span<const datasets::CalibrationPlan> plans, int threads = 0);

}  // namespace cubicbench::predictor
