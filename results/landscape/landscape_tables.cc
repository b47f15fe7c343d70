#include "results/landscape/landscape_tables.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "results/landscape/better.h"
#include "results/layout/number_text.h"
#include "results/simulation/objective_text.h"
#include "results/studies/study_commands.h"

namespace cubicbench::results {
namespace {

using scenarios::Reason;
using Row = std::vector<std::string>;

constexpr const char* unknown = "-";

std::string share(std::optional<double> value) { return value ? percent(*value) : unknown; }

std::string metric(const ScenarioLandscape& of, double value) {
  return metric_text(of.scenario.objective.metric, value);
}

/// "2.31 x".
std::string times(const ScenarioLandscape& of, double value, double than) {
  return fixed(times_as_good(of.scenario.objective.direction, value, than), 2) + " x";
}

Row value_row(const ScenarioLandscape& of, std::string name, std::optional<double> value) {
  if (!value) return {std::move(name), unknown, unknown};
  const bool ranked = of.landscape.quantiles.has_value();
  return {std::move(name), metric(of, *value),
          ranked ? times(of, *value, of.landscape.median()) : unknown};
}

std::string quantile_name(double q) {
  return q == 0.5 ? "median" : fixed(100.0 * q, 0) + " % are below";
}

std::string_view name_of_parameter(const ScenarioLandscape& of, const Importance& importance) {
  return of.scenario.space.parameters()[importance.parameter].setting->name;
}

}  // namespace

LandscapeTable status_table(const ScenarioLandscape& of) {
  const Landscape& landscape = of.landscape;
  LandscapeTable table{{"status", "rows", "share"}};
  for (std::size_t i = 0; i < landscape_ends.size(); ++i) {
    const std::uint64_t rows = landscape.ends[i];
    if (rows == 0 && landscape_ends[i] != Reason::none) continue;
    table.push_back({std::string(end_name(landscape_ends[i])), grouped(rows),
                     percent(static_cast<double>(rows) / static_cast<double>(landscape.rows))});
  }
  return table;
}

LandscapeTable value_table(const ScenarioLandscape& of) {
  const Landscape& landscape = of.landscape;
  LandscapeTable table{{"of those that run", "objective", "over median"}};
  for (std::size_t i = 0; i < landscape_quantiles.size(); ++i) {
    std::optional<double> value;
    if (landscape.quantiles) value = (*landscape.quantiles)[i];
    table.push_back(value_row(of, quantile_name(landscape_quantiles[i]), value));
  }
  const bool baseline_runs = of.baseline.reason == Reason::none;
  table.push_back(
      value_row(of, "baseline", baseline_runs ? std::optional(of.baseline.value) : std::nullopt));
  table.push_back(value_row(of, "best drawn", landscape.best_drawn));
  const auto& best = landscape.best_known;
  table.push_back(value_row(of, "best known", best ? std::optional(best->value) : std::nullopt));
  return table;
}

LandscapeTable importance_table(const ScenarioLandscape& of) {
  std::vector<Importance> sorted = of.landscape.importance;
  std::ranges::stable_sort(sorted, [](const Importance& a, const Importance& b) {
    return a.main.value_or(-1.0) > b.main.value_or(-1.0);
  });
  LandscapeTable table{{"share of Var(log)", "levels", "main", "total"}};
  for (const Importance& importance : sorted) {
    table.push_back({std::string(name_of_parameter(of, importance)), grouped(importance.levels),
                     share(importance.main), share(importance.total)});
  }
  return table;
}

std::string landscape_headline(const ScenarioLandscape& of) {
  const Landscape& landscape = of.landscape;
  const scenarios::Objective& objective = of.scenario.objective;
  const std::string configurations =
      counted(landscape.configurations, "configuration", "configurations");
  std::string text = of.scenario.name;
  if (of.instance != 0) text += ", instance " + std::to_string(of.instance);
  text += ": " + (landscape.exhaustive()
                      ? "all " + configurations
                      : grouped(landscape.rows) + " of " + configurations + ", drawn uniformly");
  return text + ". Objective: " + std::string(name_of(objective.direction)) + " " +
         std::string(name_of(objective.metric)) + ", " + percentile_text(objective.percentile) +
         " over the steps of a run, without noise.";
}

std::string baseline_sentence(const ScenarioLandscape& of) {
  if (of.baseline.reason != Reason::none) {
    return "The baseline does not run: " + std::string(name_of(of.baseline.reason)) + ".";
  }
  if (!of.landscape.baseline) return "No configuration that was drawn runs.";
  return "Better than the baseline: " + percent(of.landscape.baseline->share_better) +
         " of those that run.";
}

std::string best_known_sentence(const ScenarioLandscape& of) {
  const Landscape& landscape = of.landscape;
  if (!landscape.best_known) return "No configuration is known that runs.";
  const Summit& best = *landscape.best_known;
  std::string text = "Best known: " + metric(of, best.value);
  if (of.baseline.reason == Reason::none) {
    text += ", " + times(of, best.value, of.baseline.value) + " the baseline";
  }
  if (landscape.quantiles) {
    text += ", " + times(of, best.value, landscape.median()) + " the median";
  }
  return text + "; " + counted(best.evaluations, "evaluation", "evaluations") + " (" +
         grouped(landscape.rows) + " rows, " + grouped(landscape.climbed) +
         " to climb from the best of them). No change of one or two parameters is better.";
}

std::string best_known_command(const ScenarioLandscape& of) {
  if (!of.landscape.best_known) return "";
  const scenarios::SearchSpace& space = of.scenario.space;
  scenarios::Configuration configuration(space.size());
  space.configuration_at(of.landscape.best_known->number, configuration);
  std::vector<std::string> changes;
  std::set<std::string_view> changed;
  for (const scenarios::Assignment& assignment : space.to_assignment(configuration)) {
    const scenarios::Setting& setting = *assignment.setting;
    if (setting.read(of.scenario.baseline) == assignment.value) continue;
    changed.insert(setting.name);
    changes.push_back(std::string(setting.name) + "=" + format_setting(setting, assignment.value));
  }
  std::string command = "cubicbench simulate " + shell_word(of.asked);
  if (of.instance != 0) command += " --instance " + std::to_string(of.instance);
  for (const std::string& set : of.sets) {
    const std::string_view name = std::string_view(set).substr(0, set.find('='));
    if (!changed.contains(name)) command += " --set " + shell_word(set);
  }
  for (const std::string& change : changes) command += " --set " + shell_word(change);
  return command;
}

std::string importance_sentence(const ScenarioLandscape& of) {
  const Importance* largest = largest_main(of.landscape);
  if (largest == nullptr) return "No main effect is known: what was drawn does not vary.";
  const bool over_half = *largest->main > 0.5;
  return "Largest main effect: " + std::string(name_of_parameter(of, *largest)) + ", " +
         percent(*largest->main) + " of the variance of the objective's logarithm. " +
         (over_half ? "A single parameter explains more than half."
                    : "No single parameter explains more than half.");
}

}  // namespace cubicbench::results
