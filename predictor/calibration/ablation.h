#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "datasets/fits/calibration_plan.h"
#include "datasets/fits/law_plan.h"
#include "datasets/validation/rank_agreement.h"
#include "predictor/calibration/ablated_term.h"
#include "predictor/calibration/calibrate.h"
#include "sim/base/units.h"

namespace cubicbench::predictor {

/// ablate_terms() with the named constants of the stack that all runs share. Requires runs, and
/// names that exist.
std::vector<AblatedTerm> ablate(const std::vector<CalibrationRun>& runs,
                                const std::vector<std::string>& names, int threads = 1);

/// How far off runs are without a term.
struct TermErrors {
  const StepTerm* term = nullptr;  ///< null: nothing is left out
  bool in_runs = true;  ///< of several stacks, whether any has it; where none does, nothing changes
  std::optional<double> median_abs_rel_error{}, p90_abs_rel_error{};
  datasets::RankAgreement ranks{};
};

/// The runs that constants of one stack, or the laws, or all of them, are fitted to.
struct AblatedRuns {
  std::string stack{};  ///< that has the constants; "" for all
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
  std::vector<AblatedRuns> stacks;  ///< the laws, then the rest in the order of their first plans
  std::vector<FittedPlan> plans;    ///< in their order
};

/// At most so many constants may be fitted.
std::int64_t constants_max(CalibrationSubject subject);

/// Error of models that were left out over that of the fit; nothing where there is one model only.
std::optional<double> left_out_ratio(const FittedPlan& plan);

/// Leaves out one term after the other and fits the laws again, from the values that ship, to all
/// of their runs, and the constants of each stack to the runs of all its plans that the laws do not
/// have; and carries out every plan as `calibrate` does, runs and kernels, those of one subject one
/// after the other, with each model left out once. A run that two plans of a stack name counts
/// once. Takes a minute. Uses up to `threads` threads (0: all cores), which change no bit.
Ablation ablation_of(const datasets::LawPlan& laws,
                     std::span<const datasets::CalibrationPlan> plans, int threads = 0);

}  // namespace cubicbench::predictor
