#include "results/landscape/landscape_document.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "results/document/json.h"
#include "results/document/number_text.h"
#include "results/landscape/landscape_figure.h"
#include "results/simulation/shown_problem.h"
#include "scenarios/readers/objective_reader.h"
#include "support/characters.h"
#include "support/json/canonical.h"
#include "support/json/json_document.h"

namespace cubicbench::results {
namespace {

using datasets::end_name;
using datasets::Importance;
using datasets::Landscape;
using datasets::landscape_ends;
using datasets::landscape_quantiles;
using datasets::Summit;
using scenarios::Reason;
using Json = nlohmann::ordered_json;

std::string name_text(const AskedLandscape& of) {
  return of.scenario.name +
         (of.asked.instance == 0 ? "" : ", instance " + std::to_string(of.asked.instance));
}

std::string metric(const AskedLandscape& of, double value) {
  return metric_text(of.scenario.objective, value);
}

/// How many times as good as `than`; nothing where one of them is not known.
std::optional<double> times(const AskedLandscape& of, std::optional<double> value,
                            std::optional<double> than) {
  if (!value || !than) return std::nullopt;
  const bool more = of.scenario.objective.direction == scenarios::Direction::maximize;
  return more ? *value / *than : *than / *value;
}

std::optional<double> median_of(const AskedLandscape& of) {
  return of.landscape.quantiles ? std::optional(of.landscape.median()) : std::nullopt;
}

std::optional<double> baseline_of(const AskedLandscape& of) {
  return of.baseline.reason == Reason::none ? std::optional(of.baseline.value) : std::nullopt;
}

std::optional<double> best_known_of(const AskedLandscape& of) {
  const std::optional<Summit>& best = of.landscape.best_known;
  return best ? std::optional(best->value) : std::nullopt;
}

double share_of_rows(const AskedLandscape& of, std::uint64_t rows) {
  return static_cast<double>(rows) / static_cast<double>(of.landscape.rows);
}

/// Settings of the best known configuration, which there must be.
std::vector<scenarios::Assignment> best_config(const AskedLandscape& of) {
  const scenarios::SearchSpace& space = of.scenario.space;
  scenarios::Configuration configuration(space.size());
  space.configuration_at(of.landscape.best_known->number, configuration);
  return space.to_assignment(configuration);
}

const Field<Importance> importance_fields[] = {
    {{"name", "share of Var(log)"}, &Importance::name},
    {{"levels", "levels", Show::count}, &Importance::levels},
    {{"main", "main", Show::percent}, &Importance::main},
    {{"total", "total", Show::percent}, &Importance::total},
    {{"total_standard_error", ""}, &Importance::total_error}};

/// Rows by how they end; ends that no row has are left out, "ok" is not.
Table status_table(const AskedLandscape& of) {
  const Landscape& landscape = of.landscape;
  Table table{.columns = {{"status", "status"},
                          {"rows", "rows", Show::count},
                          {"share", "share", Show::percent}}};
  for (std::size_t i = 0; i < landscape_ends.size(); ++i) {
    const std::uint64_t rows = landscape.ends[i];
    if (rows == 0 && landscape_ends[i] != Reason::none) continue;
    table.rows.push_back({end_name(landscape_ends[i]), rows, share_of_rows(of, rows)});
  }
  return table;
}

/// Quantiles, the baseline, the best drawn and the best known, and what they are over the median.
Table value_table(const AskedLandscape& of) {
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
  add("best known", best_known_of(of));
  return table;
}

/// Parameters, the largest main effect first.
Table importance_table(const AskedLandscape& of) {
  std::vector<Importance> sorted = of.landscape.importance;
  std::ranges::stable_sort(sorted, std::ranges::greater{},
                           [](const Importance& one) { return one.main.value_or(-1.0); });
  return table_of<Importance>(sorted, importance_fields);
}

/// "llama3-405b, instance 1: 20,000 of 19,614,976 configurations, drawn uniformly. ..."
std::string headline(const AskedLandscape& of) {
  const Landscape& landscape = of.landscape;
  const std::string all = counted(landscape.configurations, "configuration", "configurations");
  return name_text(of) + ": " +
         (landscape.exhaustive() ? "all " + all
                                 : grouped(landscape.rows) + " of " + all + ", drawn uniformly") +
         ". " + objective_sentence(of.scenario.objective);
}

std::string baseline_sentence(const AskedLandscape& of) {
  if (of.baseline.reason != Reason::none) {
    return "The baseline does not run: " + std::string(name_of(of.baseline.reason)) + ".";
  }
  if (!of.landscape.share_better) return "No configuration that was drawn runs.";
  return "Better than the baseline: " + percent(*of.landscape.share_better) + " of those that run.";
}

std::string best_known_sentence(const AskedLandscape& of) {
  const Landscape& landscape = of.landscape;
  if (!landscape.best_known) return "No configuration is known that runs.";
  const Summit& best = *landscape.best_known;
  std::string text = "Best known: " + metric(of, best.value);
  const auto add = [&](std::optional<double> over, std::string_view than) {
    if (over) text += ", " + fixed(*over, 2) + " x the " + std::string(than);
  };
  add(times(of, best.value, baseline_of(of)), "baseline");
  add(times(of, best.value, median_of(of)), "median");
  return text + "; " + counted(best.evaluations, "evaluation", "evaluations") + " (" +
         grouped(landscape.rows) + " rows, " + grouped(landscape.climbed) +
         " to climb from the best of them). No change of one or two parameters is better.";
}

/// Which share of the gap between the baseline and the best known a climb from it closes.
std::optional<double> gap_closed(const AskedLandscape& of, const std::optional<Summit>& end) {
  const auto baseline = baseline_of(of);
  const auto best = best_known_of(of);
  if (!end || !baseline || !best || *best == *baseline) return std::nullopt;
  return (end->value - *baseline) / (*best - *baseline);
}

std::string climbs_sentence(const AskedLandscape& of) {
  const datasets::Climbs& climbs = of.landscape.climbs;
  std::string text;
  if (const auto one = gap_closed(of, climbs.from_baseline)) {
    text = "Changing one parameter at a time from the baseline closes " + percent(*one) +
           " of the gap to the best known, changing up to two " +
           percent(gap_closed(of, climbs.from_baseline_pairs).value_or(0.0)) + ". ";
  }
  if (climbs.starts > 0) {
    text += grouped(climbs.at_best) + " of " + counted(climbs.starts, "climb", "climbs") +
            " of one parameter at a time from random configurations that run " +
            (climbs.at_best == 1 ? "ends" : "end") + " at the best known; they end at " +
            counted(climbs.ends, "configuration", "different configurations") + ". ";
  }
  if (const auto& explained = of.landscape.explained) {
    text += "Effects of single parameters explain " + percent(explained->singles) +
            " of the variance of the objective's logarithm, pairs of them " +
            percent(explained->pairs) + " more.";
  }
  return text;
}

/// The command that simulates the best known configuration, which there must be.
std::string best_known_command(const AskedLandscape& of) {
  std::vector<std::pair<std::string, std::string>> changes;
  for (const scenarios::Assignment& assignment : best_config(of)) {
    const scenarios::Setting& setting = *assignment.setting;
    if (setting.read(of.scenario.baseline) == assignment.value) continue;
    changes.emplace_back(setting.name, format_setting(setting, assignment.value));
  }
  return simulate_command(of.asked, changes);
}

std::string importance_sentence(const AskedLandscape& of) {
  const Importance* const largest = largest_main(of.landscape);
  if (largest == nullptr) return "No main effect is known: what was drawn does not vary.";
  return "Largest main effect: " + std::string(largest->name) + ", " + percent(*largest->main) +
         " of the variance of the objective's logarithm. " +
         (*largest->main > 0.5 ? "A single parameter explains more than half."
                               : "No single parameter explains more than half.");
}

/// A row for each landscape.
const Field<AskedLandscape> overview_fields[] = {
    {{"scenario", "scenario"}, name_text},
    {{"configurations", "configurations", Show::count},
     of_member<&AskedLandscape::landscape, &Landscape::configurations>},
    {{"run", "run", Show::percent},
     [](const AskedLandscape& of) { return share_of_rows(of, of.landscape.running()); }},
    {{"share_better", "better than baseline", Show::percent},
     of_member<&AskedLandscape::landscape, &Landscape::share_better>},
    {{"over_baseline", "best known over baseline", Show::fixed2},
     [](const AskedLandscape& of) { return times(of, best_known_of(of), baseline_of(of)); }},
    {{"over_median", "best known over median", Show::fixed2},
     [](const AskedLandscape& of) { return times(of, best_known_of(of), median_of(of)); }},
    {{"importance_max", "largest main effect"}, [](const AskedLandscape& of) {
       const Importance* const largest = largest_main(of.landscape);
       return largest == nullptr ? Cell()
                                 : Cell(std::string(largest->name) + " " + percent(*largest->main));
     }}};

/// Main effects, and what only appears together with others, as bars.
Table effects_table(const AskedLandscape& of) {
  std::vector<Importance> sorted = of.landscape.importance;
  std::ranges::stable_sort(sorted, std::ranges::greater{},
                           [](const Importance& one) { return one.total.value_or(-1.0); });
  Table table{.columns = {{"name", "parameter"}, {"effect", "share of the variance"}}};
  for (const Importance& one : sorted) {
    if (!one.main || !one.total) continue;
    const double main = std::clamp(*one.main, 0.0, 1.0);
    const double together = std::clamp(*one.total - main, 0.0, 1.0 - main);
    table.rows.push_back(
        {one.name,
         ShareBar{.parts = {{"by itself", "by itself", "#0072B2", main},
                            {"with others", "with others", "#E69F00", together}},
                  .words = percent(*one.main) + " by itself, " + percent(*one.total) + " in all"}});
  }
  return table;
}

/// "llama3-405b", "2-a-b": letters, digits and '-', and what tells it from others of the document.
std::string stem_of(const AskedLandscape& of, std::size_t number) {
  std::string stem = number == 0 ? "" : std::to_string(number + 1) + "-";
  for (const char c : of.scenario.name) {
    stem += support::is_letter(c) || support::is_digit(c) ? c : '-';
  }
  return stem;
}

/// The answer in two sentences: what the space is worth, and what it hangs on.
std::string finding_of(const AskedLandscape& of) {
  const Landscape& landscape = of.landscape;
  if (!landscape.best_known) return best_known_sentence(of);
  const double best = landscape.best_known->value;
  std::string text = "The best known configuration has " + metric(of, best);
  if (const auto over = times(of, best, baseline_of(of))) {
    text += ", " + fixed(*over, 2) + " x the baseline";
  }
  text += "; " + percent(share_of_rows(of, landscape.running())) + " of all configurations run";
  if (landscape.share_better) {
    text += ", and " + percent(*landscape.share_better) + " of those beat the baseline";
  }
  text += ".";
  if (const Importance* const largest = largest_main(landscape)) {
    text += " The parameter that matters most is " + std::string(largest->name) + ", with " +
            percent(*largest->main) + " of the variance of the objective's logarithm";
    if (const auto one = gap_closed(of, landscape.climbs.from_baseline)) {
      text += "; changing one parameter at a time from the baseline closes " + percent(*one) +
              " of the gap to the best known";
    }
    text += ".";
  }
  return text;
}

/// In a terminal and in Markdown.
void add_text(const AskedLandscape& of, Document& document) {
  const auto add = [&](const BlockContent& content) {
    for (const Media media : {Media::terminal, Media::markdown}) document.add(content, media);
  };
  add(status_table(of));
  if (of.landscape.best_known) add(value_table(of));
  add(Paragraph{baseline_sentence(of)});
  if (largest_main(of.landscape) != nullptr) add(importance_table(of));
  add(Paragraph{importance_sentence(of)});
  add(Paragraph{climbs_sentence(of)});
  add(Paragraph{best_known_sentence(of)});
  if (of.landscape.best_known) add(Command{best_known_command(of)});
}

/// The same on a page: the answer, one table, the figures, then the rest. `alone`: the page is of
/// this landscape, whose sections its contents list.
void add_page(const AskedLandscape& of, const std::string& stem, bool alone, Document& document) {
  const auto add = [&](BlockContent content) { document.add(std::move(content), Media::html); };
  const auto begin = [&](const std::string& text, const std::string& id) {
    add(Heading{
        .text = text, .id = alone ? stem + "-" + id : std::string(), .level = alone ? 2 : 3});
  };
  add(Paragraph{finding_of(of)});
  if (of.landscape.best_known) add(value_table(of));
  if (!of.landscape.hundredths.empty()) {
    begin("How values are distributed", "values");
    add(distribution_drawing(of, stem));
  }
  begin("Which parameters matter", "parameters");
  add(Paragraph{importance_sentence(of)});
  if (largest_main(of.landscape) != nullptr) {
    add(effects_table(of));
    add(Folded{.summary = "Every effect as a number",
               .blocks = {{importance_table(of), Media::html}}});
  }
  begin("What runs", "outcomes");
  add(status_table(of));
  add(Paragraph{baseline_sentence(of)});
  begin("How far climbing gets", "climbs");
  add(Paragraph{climbs_sentence(of)});
  begin("The best known", "best");
  add(Paragraph{best_known_sentence(of)});
  if (of.landscape.best_known) add(Command{best_known_command(of)});
}

void add_landscape(const AskedLandscape& of, const std::string& stem, bool alone,
                   Document& document) {
  document.add(Heading{.text = name_text(of), .id = stem},
               alone ? Media::markdown : Media::written);
  document.add(Paragraph{headline(of)});
  add_text(of, document);
  add_page(of, stem, alone, document);
}

void add_origin(const std::string& command, Document& document) {
  if (command.empty()) return;
  document.add(Heading{.text = "How to make this again", .id = "origin"}, Media::html);
  document.add(Command{command}, Media::html);
  document.add(Paragraph{"The same version gives the same bytes. Page by cubicbench " +
                         support::own_version() + "."},
               Media::html);
}

Json status_json(const AskedLandscape& of) {
  Json status = Json::object();
  for (std::size_t i = 0; i < landscape_ends.size(); ++i) {
    const std::uint64_t rows = of.landscape.ends[i];
    // It came later: without it, documents are what they were.
    if (landscape_ends[i] == Reason::numeric && rows == 0) continue;
    status[std::string(end_name(landscape_ends[i]))] = {{"rows", rows},
                                                        {"share", share_of_rows(of, rows)}};
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

Json best_known_json(const AskedLandscape& of) {
  const Landscape& landscape = of.landscape;
  if (!landscape.best_known) return nullptr;
  const double best = landscape.best_known->value;
  return {{"value", best},
          {"over_baseline", json_of(Cell(times(of, best, baseline_of(of))))},
          {"over_median", json_of(Cell(times(of, best, median_of(of))))},
          {"over_best_drawn", json_of(Cell(times(of, best, landscape.best_drawn)))},
          {"best_drawn", json_of(Cell(landscape.best_drawn))},
          {"evaluations", landscape.best_known->evaluations},
          {"climb_evaluations", landscape.climbed},
          {"config", config_json(best_config(of))}};
}

Json climbs_json(const AskedLandscape& of) {
  const datasets::Climbs& climbs = of.landscape.climbs;
  return {{"gap_closed_from_baseline", json_of(Cell(gap_closed(of, climbs.from_baseline)))},
          {"gap_closed_from_baseline_by_pairs",
           json_of(Cell(gap_closed(of, climbs.from_baseline_pairs)))},
          {"starts", climbs.starts},
          {"at_best_known", climbs.at_best},
          {"different_ends", climbs.ends}};
}

Json explained_json(const Landscape& landscape) {
  if (!landscape.explained) return nullptr;
  return {{"singles", landscape.explained->singles}, {"pairs", landscape.explained->pairs}};
}

Json importance_max_json(const Landscape& landscape) {
  const Importance* const largest = largest_main(landscape);
  if (largest == nullptr) return nullptr;
  return {{"name", largest->name}, {"main", *largest->main}, {"over_half", *largest->main > 0.5}};
}

}  // namespace

Document landscape_document(std::span<const AskedLandscape> landscapes,
                            const std::string& command) {
  const bool alone = landscapes.size() == 1;
  Document document;
  if (!command.empty()) {
    document.title = alone ? "The search space of " + name_text(landscapes.front())
                           : "What search spaces look like";
    document.contents = true;
  }
  if (!alone) {
    document.add(table_of<AskedLandscape>(landscapes, overview_fields), Media::written);
  }
  for (std::size_t i = 0; i < landscapes.size(); ++i) {
    add_landscape(landscapes[i], stem_of(landscapes[i], i), alone, document);
  }
  add_origin(command, document);
  return document;
}

Json landscape_json(const AskedLandscape& of) {
  const Landscape& landscape = of.landscape;
  return {{"scenario", of.scenario.name},
          {"scenario_sha256", of.scenario.sha256},
          {"truth_sha256", of.truth_sha256},
          {"instance", of.asked.instance},
          {"objective", scenarios::objective_json(of.scenario.objective)},
          {"configurations", landscape.configurations},
          {"rows", landscape.rows},
          {"exhaustive", landscape.exhaustive()},
          {"status", status_json(of)},
          {"running", quantiles_json(landscape)},
          {"baseline",
           {{"status", end_name(of.baseline.reason)},
            {"value", json_of(Cell(baseline_of(of)))},
            {"over_median", json_of(Cell(times(of, baseline_of(of), median_of(of))))},
            {"share_better", json_of(Cell(landscape.share_better))}}},
          {"best_known", best_known_json(of)},
          {"log_variance", json_of(Cell(landscape.log_variance))},
          {"total_rows", landscape.total_rows},
          {"importance", json_of(table_of<Importance>(landscape.importance, importance_fields))},
          {"importance_max", importance_max_json(landscape)},
          {"climbs", climbs_json(of)},
          {"explained", explained_json(landscape)}};
}

}  // namespace cubicbench::results
