#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "predictor/calibration/calibrated.h"
#include "predictor/calibration/step_term.h"
#include "sim/base/units.h"
#include "support/parallel.h"

namespace cubicbench::predictor {

/// Runs timed without one term, by constants that were fitted again to make up for it.
struct AblatedTerm {
  const StepTerm* term = nullptr;  ///< null: nothing is left out
  /// Whether a run takes another time without it. Where none does, nothing is fitted again.
  bool in_runs = true;
  std::vector<sim::Seconds> steps;  ///< of every run
};

/// Fits `unknowns` first with the whole model and then, from what was found, without each of
/// step_terms(). The first entry leaves nothing out, the others stand in the order of step_terms().
/// `trial(term, threads)` makes a trial of so many observations without a term, or of the whole
/// model (null). Uses up to `threads` threads (0: all cores), which change no bit.
template <class MakeTrial>
std::vector<AblatedTerm> ablate_terms(const MakeTrial& trial, const std::vector<Unknown>& unknowns,
                                      std::size_t observations, int threads) {
  const auto fitted = [&](auto& of, const std::vector<double>& start) {
    return fitted_values(of, unknowns, start, observations);
  };
  auto whole = trial(nullptr, threads);
  const std::vector<double> values = fitted(whole, values_before(unknowns));
  const std::span<const StepTerm> terms = step_terms();
  std::vector<AblatedTerm> ablated(terms.size() + 1);
  ablated[0].steps = whole.times(values);
  support::parallel_for(terms.size(), threads, [&](std::size_t i) {
    constexpr int one_thread = 1;  // the terms have the others
    auto without = trial(&terms[i], one_thread);
    AblatedTerm& result = ablated[i + 1];
    result.term = &terms[i];
    result.steps = without.times(values);
    result.in_runs = result.steps != ablated[0].steps;
    if (result.in_runs) result.steps = without.times(fitted(without, values));
  });
  return ablated;
}

}  // namespace cubicbench::predictor
