#include "results/simulation/shown_problem.h"

#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

#include "results/document/number_text.h"
#include "support/json/canonical.h"

namespace cubicbench::results {

using Json = nlohmann::ordered_json;

namespace {

/// Of metrics that are shown as rates, in the order of scenarios::Metric.
constexpr std::array<std::string_view, scenarios::metric_names.size()> units{"",
                                                                             "samples/s",
                                                                             "tokens/s",
                                                                             "tokens/s a GPU",
                                                                             "",
                                                                             "tokens per GPU-hour",
                                                                             "tokens per joule",
                                                                             "samples per joule",
                                                                             "tokens per USD",
                                                                             "samples per USD"};

}  // namespace

std::string metric_text(const scenarios::Objective& objective, double value) {
  const scenarios::Metric metric = objective.metric;
  if (metric == scenarios::Metric::column) {
    constexpr int digits = 6;
    return formatted(value, std::chars_format::general, digits) + " " + objective.column;
  }
  if (metric == scenarios::Metric::step_time_s) return duration(sim::Seconds{value}) + " a step";
  if (metric == scenarios::Metric::mfu) return percent(value) + " MFU";
  return scaled(value) + " " + std::string(units[static_cast<std::size_t>(metric)]);
}

std::string percentile_text(double percentile) {
  return percentile == 50.0 ? "the median" : "P" + support::shortest(percentile);
}

std::string deadline_text(const scenarios::Deadline& deadline) {
  return scaled(deadline.tokens) + " tokens in " + support::shortest(deadline.days) + " days";
}

std::string objective_sentence(const scenarios::Objective& objective, bool measured) {
  return "Objective: " + std::string(name_of(objective.direction)) + " " +
         std::string(name_of(objective)) + ", " +
         (measured ? "the mean over the measured runs of a configuration."
                   : percentile_text(objective.percentile) +
                         " over the steps of a run, without noise.") +
         (objective.deadline ? " Deadline: " + deadline_text(*objective.deadline) + "." : "");
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
