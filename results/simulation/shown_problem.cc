#include "results/simulation/shown_problem.h"

#include <nlohmann/json.hpp>

#include "results/document/number_text.h"
#include "support/json/canonical.h"

namespace cubicbench::results {

using Json = nlohmann::ordered_json;

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

std::string objective_sentence(const scenarios::Objective& objective, bool measured) {
  return "Objective: " + std::string(name_of(objective.direction)) + " " +
         std::string(name_of(objective.metric)) + ", " +
         (measured
              ? "the mean over the measured runs of a configuration."
              : percentile_text(objective.percentile) + " over the steps of a run, without noise.");
}

Json config_json(std::span<const scenarios::Assignment> config) {
  Json object = Json::object();
  for (const scenarios::Assignment& assignment : config) {
    object[std::string(assignment.setting->name)] =
        scenarios::json_of(*assignment.setting, assignment.value);
  }
  return object;
}

}  // namespace cubicbench::results
