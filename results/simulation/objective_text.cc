#include "results/simulation/objective_text.h"

#include "results/document/number_text.h"
#include "support/json/canonical.h"

namespace cubicbench::results {

std::string metric_text(scenarios::Metric metric, double value) {
  switch (metric) {
    case scenarios::Metric::step_time_s:
      return duration(sim::Seconds{value}) + " a step";
    case scenarios::Metric::samples_per_s:
      return scaled(value) + " samples/s";
    case scenarios::Metric::tokens_per_s:
      return scaled(value) + " tokens/s";
    case scenarios::Metric::tokens_per_s_per_gpu:
      return scaled(value) + " tokens/s a GPU";
    case scenarios::Metric::mfu:
      return percent(value) + " MFU";
  }
  return "";
}

std::string percentile_text(double percentile) {
  return percentile == 50.0 ? "the median" : "P" + support::shortest(percentile);
}

std::string objective_text(const Simulation& simulation) {
  const scenarios::Objective& objective = simulation.scenario.objective;
  if (simulation.truth.reason != scenarios::Reason::none) {
    return "none: " + reason(simulation).value_or("");
  }
  const std::string value = metric_text(objective.metric, simulation.truth.value);
  if (simulation.played && simulation.played->jitter) return value + ", of this one step";
  return value + ", " + percentile_text(objective.percentile) + " over the steps of a run";
}

}  // namespace cubicbench::results
