#include "predictor/calibration/ablation.h"

#include <cstddef>
#include <span>

#include "predictor/calibration/trial.h"
#include "sim/base/check.h"
#include "support/parallel.h"

namespace cubicbench::predictor {
std::vector<AblatedTerm> ablate(const std::vector<CalibrationRun>& runs,
                                const std::vector<std::string>& names, int threads) {
  SIM_ASSERT(!runs.empty() && !names.empty(), runs.size(), names.size());
  const std::vector<Knob> knobs = knobs_of(CalibrationSubject::stack, names);
  const scenarios::Scenario& first = runs.front().scenario;
  const std::vector<Unknown> unknowns = unknowns_of(knobs, first.stack, first.cluster.device);
  const auto fitted = [&](Trial& trial, const std::vector<double>& start) {
    // Errors of the constants are not asked for.
    return fit_to(trial, unknowns, start, std::vector<std::size_t>(runs.size(), 0)).values;
  };
  std::vector<double> shipped;
  for (const Unknown& unknown : unknowns) shipped.push_back(unknown.before);
  const Observations observations = observations_of(runs);
  Trial whole(observations, knobs, threads);
  const std::vector<double> values = fitted(whole, shipped);
  const std::span<const StepTerm> terms = step_terms();
  std::vector<AblatedTerm> ablated(terms.size() + 1);
  ablated[0].steps = whole.times(values);
  support::parallel_for(terms.size(), threads, [&](std::size_t i) {
    constexpr int one_thread = 1;  // the terms have the others
    Trial without(observations, knobs, one_thread, &terms[i]);
    AblatedTerm& result = ablated[i + 1];
    result.term = &terms[i];
    result.steps = without.times(values);
    result.in_runs = result.steps != ablated[0].steps;
    if (result.in_runs) result.steps = without.times(fitted(without, values));
  });
  return ablated;
}

}  // namespace cubicbench::predictor
