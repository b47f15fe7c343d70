#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "datasets/fits/calibration_plan.h"
#include "predictor/calibration/calibrate.h"
#include "predictor/calibration/step_term.h"
#include "results/validation/summary.h"

namespace cubicbench::results {

/// Runs that are timed without a term, by constants that were fitted again.
struct TermErrors {
  const predictor::StepTerm* term = nullptr;  ///< null: nothing is left out
  bool in_runs = true;  ///< of several stacks, whether any has it; where none does, nothing changes
  Summary errors{};     ///< of their times and ranks
};

/// The runs that constants of one stack, or of all stacks, are fitted to.
struct AblatedRuns {
  std::string stack;  ///< "" for all
  std::vector<std::string> constants;
  std::int64_t rows = 0, models = 0;
  std::vector<TermErrors> terms;  ///< the whole model first, then as predictor::step_terms()
};

/// A plan that ships, carried out.
struct FittedPlan {
  std::string name, of;
  datasets::CalibrationSubject subject = datasets::CalibrationSubject::stack;
  std::int64_t models = 0;
  std::int64_t constants_of_subject = 0;  ///< fitted ones, over all of its plans
  predictor::Calibration calibration;
};

struct Ablation {
  AblatedRuns all;
  std::vector<AblatedRuns> stacks;  ///< in the order of their first plans
  std::vector<FittedPlan> plans;    ///< in their order
};

/// At most so many constants may be fitted.
std::int64_t constants_max(datasets::CalibrationSubject subject);

/// Error of models that were left out over that of the fit; nothing where there is one model only.
std::optional<double> left_out_ratio(const FittedPlan& plan);

/// Leaves out one term after the other and fits the constants of each stack again, from the values
/// that ship, to the runs of all its plans; and carries out every plan as `calibrate` does, runs
/// and kernels, those of one subject one after the other, with each model left out once. A run that
/// two plans of a stack name counts once. Takes seconds a stack. Uses up to `threads` threads (0:
/// all cores), which change no bit.
Ablation ablation_of(std::span<const datasets::CalibrationPlan> plans, int threads = 0);

}  // namespace cubicbench::results
