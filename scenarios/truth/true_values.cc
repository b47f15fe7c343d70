#include "scenarios/truth/true_values.h"

#include <variant>
#include <vector>

#include "sim/truth/numeric.h"
#include "support/statistics/mean.h"

namespace cubicbench::scenarios {
namespace {

/// Jobs whose steps take longer are timeouts, whatever else happens to them; where trainings may
/// diverge, that may show before. Jitter only adds to a step.
sim::Seconds longest_step(const Scenario& scenario) {
  constexpr double rounding = 1e-6;
  if (!sim::find_numeric_model(scenario.truth.numeric)->risks.empty()) return sim::unlimited_step;
  const Job& job = scenario.job;
  return ((1.0 + rounding) / static_cast<double>(job.steps)) * (job.time_limit - job.startup);
}

}  // namespace

TrueValues::TrueValues(const Instance& instance)
    : instance_(instance), plan_(instance.scenario().space) {
  const Scenario& scenario = instance.scenario();
  if (scenario.measured || scenario.engine != Engine::analytical) return;
  // What is remembered of steps tells their time, and not how much of it GPUs compute.
  if (is_of_energy(scenario.objective.metric)) return;
  if (const auto* const model = std::get_if<sim::Transformer>(&scenario.workload)) {
    transformer_.emplace(*model, scenario.cluster, scenario.stack, longest_step(scenario));
  } else if (const auto* const ads = std::get_if<sim::Recommendation>(&scenario.workload)) {
    recommendation_.emplace(*ads, scenario.cluster, scenario.stack);
  }
}

TrueValue TrueValues::at(std::span<const std::int64_t> configuration) {
  if (instance_.scenario().measured) return measured(configuration);
  const sim::Plan& plan = plan_.of(configuration);
  if (!transformer_ && !recommendation_) return instance_.true_value(plan, workspace_);
  const sim::StepVerdict verdict =
      transformer_ ? transformer_->evaluate(plan) : recommendation_->evaluate(plan);
  return instance_.true_value(plan, verdict.status, verdict.step, {});
}

TrueValue TrueValues::measured(std::span<const std::int64_t> configuration) const {
  const Scenario& scenario = instance_.scenario();
  const std::vector<TrialOutcome>& runs =
      scenario.measured->of_configuration[scenario.space.number_of(configuration)];
  std::vector<double> values;
  for (const TrialOutcome& run : runs) {
    if (run.value) values.push_back(*run.value);
  }
  if (values.empty()) return {.reason = runs.front().reason};
  return {.reason = Reason::none, .value = support::mean(values)};
}

}  // namespace cubicbench::scenarios
