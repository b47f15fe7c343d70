#include "results/landscape/landscape_json.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "results/landscape/better.h"
#include "support/json/canonical.h"

namespace cubicbench::results {
namespace {

using Json = nlohmann::ordered_json;

Json number(std::optional<double> value) { return value ? Json(*value) : Json(); }

Json objective_json(const scenarios::Objective& objective) {
  return {{"metric", name_of(objective.metric)},
          {"percentile", objective.percentile},
          {"direction", name_of(objective.direction)}};
}

Json status_json(const Landscape& landscape) {
  Json status = Json::object();
  for (std::size_t i = 0; i < landscape_ends.size(); ++i) {
    // It came later: without it, documents are what they were.
    if (landscape_ends[i] == scenarios::Reason::numeric && landscape.ends[i] == 0) continue;
    const double share =
        static_cast<double>(landscape.ends[i]) / static_cast<double>(landscape.rows);
    status[std::string(end_name(landscape_ends[i]))] = {{"rows", landscape.ends[i]},
                                                        {"share", share}};
  }
  return status;
}

/// "p5": 1.5, ...
Json quantiles_json(const Landscape& landscape) {
  Json quantiles = Json::object();
  for (std::size_t i = 0; i < landscape_quantiles.size(); ++i) {
    const std::string name = "p" + support::shortest(100.0 * landscape_quantiles[i]);
    quantiles[name] = landscape.quantiles ? Json((*landscape.quantiles)[i]) : Json();
  }
  return quantiles;
}

/// How many times as good as `than`.
Json times(const ScenarioLandscape& of, std::optional<double> value, std::optional<double> than) {
  if (!value || !than) return nullptr;
  return times_as_good(of.scenario.objective.direction, *value, *than);
}

std::optional<double> median_of(const Landscape& landscape) {
  return landscape.quantiles ? std::optional(landscape.median()) : std::nullopt;
}

std::optional<double> baseline_of(const ScenarioLandscape& of) {
  return of.baseline.reason == scenarios::Reason::none ? std::optional(of.baseline.value)
                                                       : std::nullopt;
}

Json baseline_json(const ScenarioLandscape& of) {
  const Landscape& landscape = of.landscape;
  return {{"status", end_name(of.baseline.reason)},
          {"value", number(baseline_of(of))},
          {"over_median", times(of, baseline_of(of), median_of(landscape))},
          {"share_better",
           landscape.baseline ? Json(landscape.baseline->share_better) : Json(nullptr)}};
}

Json config_json(const scenarios::SearchSpace& space, std::uint64_t number_of_configuration) {
  scenarios::Configuration configuration(space.size());
  space.configuration_at(number_of_configuration, configuration);
  Json config = Json::object();
  for (const scenarios::Assignment& assignment : space.to_assignment(configuration)) {
    config[std::string(assignment.setting->name)] =
        scenarios::json_of(*assignment.setting, assignment.value);
  }
  return config;
}

Json best_known_json(const ScenarioLandscape& of) {
  const Landscape& landscape = of.landscape;
  if (!landscape.best_known) return nullptr;
  const Summit& best = *landscape.best_known;
  return {{"value", best.value},
          {"over_baseline", times(of, best.value, baseline_of(of))},
          {"over_median", times(of, best.value, median_of(landscape))},
          {"over_best_drawn", times(of, best.value, landscape.best_drawn)},
          {"best_drawn", number(landscape.best_drawn)},
          {"evaluations", best.evaluations},
          {"climb_evaluations", landscape.climbed},
          {"config", config_json(of.scenario.space, best.number)}};
}

std::string_view parameter_name(const ScenarioLandscape& of, const Importance& importance) {
  return of.scenario.space.parameters()[importance.parameter].setting->name;
}

Json importance_json(const ScenarioLandscape& of) {
  Json list = Json::array();
  for (const Importance& importance : of.landscape.importance) {
    list.push_back({{"name", parameter_name(of, importance)},
                    {"levels", importance.levels},
                    {"main", number(importance.main)},
                    {"total", number(importance.total)},
                    {"total_standard_error", number(importance.total_error)}});
  }
  return list;
}

Json importance_max_json(const ScenarioLandscape& of) {
  const Importance* largest = largest_main(of.landscape);
  if (largest == nullptr) return nullptr;
  return {{"name", parameter_name(of, *largest)},
          {"main", *largest->main},
          {"over_half", *largest->main > 0.5}};
}

}  // namespace

nlohmann::ordered_json landscape_json(const ScenarioLandscape& of) {
  const Landscape& landscape = of.landscape;
  return {{"scenario", of.scenario.name},
          {"scenario_sha256", of.scenario.sha256},
          {"truth_sha256", of.truth_sha256},
          {"instance", of.instance},
          {"objective", objective_json(of.scenario.objective)},
          {"configurations", landscape.configurations},
          {"rows", landscape.rows},
          {"exhaustive", landscape.exhaustive()},
          {"status", status_json(landscape)},
          {"running", quantiles_json(landscape)},
          {"baseline", baseline_json(of)},
          {"best_known", best_known_json(of)},
          {"log_variance", number(landscape.log_variance)},
          {"total_rows", landscape.total_rows},
          {"importance", importance_json(of)},
          {"importance_max", importance_max_json(of)}};
}

}  // namespace cubicbench::results
