#include "predictor/calibration/ablation.h"

#include <cstddef>
#include <span>

#include "datasets/parallel.h"
#include "predictor/calibration/robust_fit.h"
#include "scenarios/constants.h"
#include "sim/base/check.h"
#include "sim/base/numeric.h"

namespace cubicbench::predictor {
namespace {

using Constants = std::vector<const scenarios::StackConstant*>;

Constants constants_of(const std::vector<std::string>& names) {
  Constants constants;
  for (const std::string& name : names) {
    constants.push_back(scenarios::find_stack_constant(name));
    SIM_ASSERT(constants.back() != nullptr, constants.size());
  }
  return constants;
}

/// The runs without a term, as a function of the constants.
class Trial {
 public:
  Trial(const std::vector<CalibrationRun>& runs, const Constants& constants, const StepTerm* term)
      : runs_(runs), constants_(constants), term_(term) {}

  sim::Seconds step(std::size_t run, std::span<const double> values) {
    const scenarios::Scenario& scenario = runs_[run].scenario;
    sim::Stack stack = scenario.stack;
    for (std::size_t k = 0; k < constants_.size(); ++k) {
      set_value(*constants_[k], values[k], stack);
    }
    return step_without(term_, scenario, scenario.cluster, stack, workspace_);
  }

  std::vector<sim::Seconds> steps(std::span<const double> values) {
    std::vector<sim::Seconds> steps;
    for (std::size_t i = 0; i < runs_.size(); ++i) steps.push_back(step(i, values));
    return steps;
  }

  std::vector<double> fitted(const std::vector<double>& start) {
    FitProblem problem{.start = start,
                       .lower = {},
                       .upper = {},
                       .rows = runs_.size(),
                       .residuals =
                           [this](std::span<const double> values, std::span<double> into) {
                             for (std::size_t i = 0; i < runs_.size(); ++i) {
                               into[i] = sim::log(step(i, values) / runs_[i].step);
                             }
                           },
                       .clusters = std::vector<std::size_t>(runs_.size(), 0)};
    for (const scenarios::StackConstant* constant : constants_) {
      problem.lower.push_back(constant->min);
      problem.upper.push_back(constant->max);
    }
    return robust_fit(problem).values;
  }

 private:
  const std::vector<CalibrationRun>& runs_;
  const Constants& constants_;
  const StepTerm* term_;
  sim::Workspace workspace_;
};

}  // namespace

std::vector<AblatedTerm> ablate(const std::vector<CalibrationRun>& runs,
                                const std::vector<std::string>& names, int threads) {
  SIM_ASSERT(!runs.empty() && !names.empty(), runs.size(), names.size());
  const Constants constants = constants_of(names);
  std::vector<double> shipped;
  for (const scenarios::StackConstant* constant : constants) {
    shipped.push_back(value_of(*constant, runs.front().scenario.stack));
  }
  Trial whole(runs, constants, nullptr);
  const std::vector<double> values = whole.fitted(shipped);
  const std::span<const StepTerm> terms = step_terms();
  std::vector<AblatedTerm> ablated(terms.size() + 1);
  ablated[0].steps = whole.steps(values);
  datasets::parallel_for(terms.size(), threads, [&](std::size_t i) {
    Trial without(runs, constants, &terms[i]);
    AblatedTerm& result = ablated[i + 1];
    result.term = &terms[i];
    result.steps = without.steps(values);
    result.in_runs = result.steps != ablated[0].steps;
    if (result.in_runs) result.steps = without.steps(without.fitted(values));
  });
  return ablated;
}

}  // namespace cubicbench::predictor
