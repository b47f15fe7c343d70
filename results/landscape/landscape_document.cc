#include "results/landscape/landscape_document.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "results/document/number_text.h"
#include "results/landscape/better.h"
#include "results/simulation/objective_text.h"
#include "results/studies/study_commands.h"

namespace cubicbench::results {
namespace {

using scenarios::Reason;

constexpr int share_places = 2;

std::string name_text(const ScenarioLandscape& of) {
  return of.scenario.name + (of.instance == 0 ? "" : ", instance " + std::to_string(of.instance));
}

std::string metric(const ScenarioLandscape& of, double value) {
  return metric_text(of.scenario.objective.metric, value);
}

/// How many times as good as `than`; nothing where one of them is not known.
std::optional<double> times(const ScenarioLandscape& of, std::optional<double> value,
                            std::optional<double> than) {
  if (!value || !than) return std::nullopt;
  return times_as_good(of.scenario.objective.direction, *value, *than);
}

std::string times_text(const ScenarioLandscape& of, double value, double than) {
  return fixed(*times(of, value, than), share_places) + " x";
}

std::optional<double> median_of(const ScenarioLandscape& of) {
  return of.landscape.quantiles ? std::optional(of.landscape.median()) : std::nullopt;
}

std::optional<double> baseline_of(const ScenarioLandscape& of) {
  return of.baseline.reason == Reason::none ? std::optional(of.baseline.value) : std::nullopt;
}

std::string_view name_of_parameter(const ScenarioLandscape& of, const Importance& importance) {
  return of.scenario.space.parameters()[importance.parameter].setting->name;
}

std::optional<double> best_known_over(const ScenarioLandscape& of, std::optional<double> than) {
  const auto& best = of.landscape.best_known;
  return times(of, best ? std::optional(best->value) : std::nullopt, than);
}

/// Rows by how they end; ends that no row has are left out, "ok" is not.
Table status_table(const ScenarioLandscape& of) {
  const Landscape& landscape = of.landscape;
  Table table{.columns = {{"status", "status"},
                          {"rows", "rows", Show::count},
                          {"share", "share", Show::percent}}};
  for (std::size_t i = 0; i < landscape_ends.size(); ++i) {
    const std::uint64_t rows = landscape.ends[i];
    if (rows == 0 && landscape_ends[i] != Reason::none) continue;
    table.rows.push_back({end_name(landscape_ends[i]), rows,
                          static_cast<double>(rows) / static_cast<double>(landscape.rows)});
  }
  return table;
}

/// Quantiles, the baseline, the best drawn and the best known, and what they are over the median.
Table value_table(const ScenarioLandscape& of) {
  const Landscape& landscape = of.landscape;
  Table table{.columns = {{"name", "of those that run"},
                          {"value", "objective", Show::figure},
                          {"over_median", "over median", Show::fixed2}}};
  const auto add = [&](std::string name, std::optional<double> value) {
    table.rows.push_back({std::move(name), value ? Cell(metric(of, *value)) : Cell(),
                          times(of, value, median_of(of))});
  };
  for (std::size_t i = 0; i < landscape_quantiles.size(); ++i) {
    const double q = landscape_quantiles[i];
    add(q == 0.5 ? "median" : fixed(100.0 * q, 0) + " % are below",
        landscape.quantiles ? std::optional((*landscape.quantiles)[i]) : std::nullopt);
  }
  add("baseline", baseline_of(of));
  add("best drawn", landscape.best_drawn);
  add("best known",
      landscape.best_known ? std::optional(landscape.best_known->value) : std::nullopt);
  return table;
}

/// Parameters, the largest main effect first.
Table importance_table(const ScenarioLandscape& of) {
  std::vector<Importance> sorted = of.landscape.importance;
  std::ranges::stable_sort(sorted, std::ranges::greater{},
                           [](const Importance& one) { return one.main.value_or(-1.0); });
  Table table{.columns = {{"name", "share of Var(log)"},
                          {"levels", "levels", Show::count},
                          {"main", "main", Show::percent},
                          {"total", "total", Show::percent}}};
  for (const Importance& one : sorted) {
    table.rows.push_back({name_of_parameter(of, one), one.levels, one.main, one.total});
  }
  return table;
}

/// "llama3-405b, instance 1: 20,000 of 19,614,976 configurations, drawn uniformly. ..."
std::string landscape_headline(const ScenarioLandscape& of) {
  const Landscape& landscape = of.landscape;
  const scenarios::Objective& objective = of.scenario.objective;
  const std::string configurations =
      counted(landscape.configurations, "configuration", "configurations");
  const std::string text = name_text(of) + ": " +
                           (landscape.exhaustive() ? "all " + configurations
                                                   : grouped(landscape.rows) + " of " +
                                                         configurations + ", drawn uniformly");
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
    text += ", " + times_text(of, best.value, of.baseline.value) + " the baseline";
  }
  if (landscape.quantiles) {
    text += ", " + times_text(of, best.value, landscape.median()) + " the median";
  }
  return text + "; " + counted(best.evaluations, "evaluation", "evaluations") + " (" +
         grouped(landscape.rows) + " rows, " + grouped(landscape.climbed) +
         " to climb from the best of them). No change of one or two parameters is better.";
}

/// The command that simulates the best known configuration, which there must be.
std::string best_known_command(const ScenarioLandscape& of) {
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

/// A row for each landscape.
const Field<ScenarioLandscape> overview_fields[] = {
    {{"scenario", "scenario"}, [](const ScenarioLandscape& of) { return Cell(name_text(of)); }},
    {{"configurations", "configurations", Show::count},
     [](const ScenarioLandscape& of) { return Cell(of.landscape.configurations); }},
    {{"run", "run", Show::percent},
     [](const ScenarioLandscape& of) {
       return Cell(static_cast<double>(of.landscape.running()) /
                   static_cast<double>(of.landscape.rows));
     }},
    {{"share_better", "better than baseline", Show::percent},
     [](const ScenarioLandscape& of) {
       const auto& baseline = of.landscape.baseline;
       return baseline ? Cell(baseline->share_better) : Cell();
     }},
    {{"over_baseline", "best known over baseline", Show::fixed2},
     [](const ScenarioLandscape& of) { return Cell(best_known_over(of, baseline_of(of))); }},
    {{"over_median", "best known over median", Show::fixed2},
     [](const ScenarioLandscape& of) { return Cell(best_known_over(of, median_of(of))); }},
    {{"importance_max", "largest main effect"}, [](const ScenarioLandscape& of) {
       const Importance* const largest = largest_main(of.landscape);
       return largest == nullptr ? Cell()
                                 : Cell(std::string(name_of_parameter(of, *largest)) + " " +
                                        percent(*largest->main));
     }}};

void add_landscape(const ScenarioLandscape& of, Document& document) {
  document.add(Heading{.text = name_text(of)}, Media::written);
  document.add(Paragraph{landscape_headline(of)});
  document.add(status_table(of));
  if (of.landscape.best_known) document.add(value_table(of));
  document.add(Paragraph{baseline_sentence(of)});
  if (largest_main(of.landscape) != nullptr) document.add(importance_table(of));
  document.add(Paragraph{importance_sentence(of)});
  document.add(Paragraph{best_known_sentence(of)});
  if (of.landscape.best_known) document.add(Command{best_known_command(of)});
}

}  // namespace

Document landscape_document(std::span<const ScenarioLandscape> landscapes) {
  Document document{.title = ""};
  if (landscapes.size() > 1) {
    document.add(table_of<ScenarioLandscape>(landscapes, overview_fields), Media::written);
  }
  for (const ScenarioLandscape& of : landscapes) add_landscape(of, document);
  return document;
}

}  // namespace cubicbench::results
