#include "results/searches/report.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "datasets/exhaustive/best_found.h"
#include "results/document/cell_text.h"
#include "results/document/json.h"
#include "results/document/number_text.h"
#include "results/regret/regret_figure.h"
#include "results/searches/search_figure.h"
#include "results/studies/study_commands.h"
#include "results/studies/study_parts.h"
#include "support/joined.h"

namespace cubicbench::results {
namespace {

using search::ConfigText;
using Json = nlohmann::ordered_json;

Table series_table(const SearchedProblem& problem) {
  std::vector<const SeriesEnd*> ends;
  for (const SearchedSeries& series : problem.series) ends.push_back(&series.end);
  return table_of<SeriesEnd>(ends, series_fields());
}

void add_results(const SearchedProblem& problem, Document& document) {
  Table table =
      chosen(series_table(problem), {"searcher", "studies", "launches", "duplicates", "measured",
                                     "true_value", "gain_over_baseline", "cost_gpu_hours"});
  drop_unknown(table, {"true_value", "gain_over_baseline"});
  std::string text = "The objective is " + measure_of(*problem.study);
  if (problem.baseline.value) {
    text += "; the baseline is " + value_text(*problem.baseline.value) + " without noise";
  }
  text += ". Columns: " + help_text(table);
  if (std::ranges::find(table.columns, "true_value", &Column::key) == table.columns.end()) {
    text += is_real(*problem.study) ? " Real runs do not tell values without noise."
                                    : " Values without noise were not kept.";
  }
  document.add(Heading{.text = "How each searcher did", .level = 3});
  document.add(Paragraph{text});
  document.add(table);
}

void add_regret(const SearchedProblem& problem, const SearchSection& section, Document& document) {
  const auto& scale = problem.yardstick.scale;
  document.add(Heading{.text = "Regret", .level = 3});
  if (scale) {
    document.add(Drawing{.figure = regret_figure(problem, section.id + "-regret"),
                         .label = problem.study->scenario +
                                  ": regret of the recommendation against jobs; the table below "
                                  "holds the numbers",
                         .caption = regret_caption(problem),
                         .stem = section.file_stem + ".regret",
                         .csv = regret_csv(problem)});
  }
  document.add(Paragraph{problem.known.note, true});
  if (!problem.known.command.empty()) document.add(Command{problem.known.command});
  if (!scale) return;
  const Table table = chosen(series_table(problem),
                             {"searcher", "studies", "regret", "random_regret", "observed_regret",
                              "share_within_1_percent", "share_within_5_percent"});
  document.add(Paragraph{"The optimum is " + scaled(scale->best) + ", the median of what runs " +
                         scaled(scale->reference) +
                         ", both without noise. Columns: " + help_text(table)});
  document.add(table);
}

void add_failures(const SearchedProblem& problem, Document& document) {
  Table table{.columns = {{"searcher", "searcher"},
                          {"reason", "reason"},
                          {"launches", "launches", Show::count},
                          {"share", "of all launches", Show::percent},
                          {"gpu_hours", "GPU-hours", Show::scaled},
                          {"gpu_hours_share", "of all GPU-hours", Show::percent}}};
  std::int64_t failed = 0;
  const auto share = [](double part, double whole) {
    return whole > 0.0 ? Cell(part / whole) : Cell();
  };
  for (const SearchedSeries& series : problem.series) {
    const StudyTally tally = series.end.tally();
    failed += tally.failed.launches;
    const auto add = [&](std::string_view reason, const LaunchCount& count) {
      table.rows.push_back(
          {series.end.name, reason, count.launches,
           share(static_cast<double>(count.launches), static_cast<double>(tally.all.launches)),
           count.gpu_hours, share(count.gpu_hours, tally.all.gpu_hours)});
    };
    for (const scenarios::Reason reason : failure_reasons) {
      const auto found = tally.failed_by_reason.find(reason);
      if (found != tally.failed_by_reason.end()) add(name_of(reason), found->second);
    }
    add("all failures", tally.failed);
  }
  document.add(Heading{.text = "What failures cost", .level = 3});
  if (failed == 0) {
    document.add(Paragraph{"No launch failed."});
  } else {
    document.add(table);
  }
}

/// Settings in which the two differ, one of them inactive included.
Table difference_table(const ConfigText& baseline, const ConfigText& config) {
  Table table{
      .columns = {{"setting", "setting"}, {"baseline", "baseline"}, {"best", "best found"}}};
  const auto value_in = [](const ConfigText& of, const std::string& name) {
    const auto found = std::ranges::find(of, name, &ConfigText::value_type::first);
    return found == of.end() ? "(not active)" : found->second;
  };
  std::set<std::string> listed;
  for (const ConfigText* const of : {&config, &baseline}) {
    for (const auto& [name, value] : *of) {
      const std::string before = value_in(baseline, name);
      const std::string after = value_in(config, name);
      if (before != after && listed.insert(name).second) {
        table.rows.push_back({name, before, after});
      }
    }
  }
  return table;
}

/// "tensor_parallel=8 micro_batch=2", in the order of the space.
std::string config_text(const ConfigText& config) {
  return support::joined(config, " ", [](const auto& of) { return of.first + "=" + of.second; });
}

/// The study with the best measured value; null where none has one.
const StudyEnd* winner_of(const SeriesEnd& series) {
  const StudyEnd* winner = nullptr;
  for (const StudyEnd& end : series.ends) {
    if (!end.observed) continue;
    if (winner == nullptr ||
        datasets::is_better(*end.observed, *winner->observed, end.study->objective.direction)) {
      winner = &end;
    }
  }
  return winner;
}

void add_best(const SearchedProblem& problem, const SeriesEnd& series, Document& document) {
  document.add(Heading{.text = series.name, .level = 4});
  const StudyEnd* const end = winner_of(series);
  if (end == nullptr) {
    document.add(Paragraph{"No launch succeeded."});
    return;
  }
  const search::StudyLaunch& launch = end->study->launches[*end->best];
  std::string text = "Trial " + std::to_string(launch.trial) + " of seed " +
                     std::to_string(end->study->seed) + ": measured " + value_text(*end->observed);
  if (end->recommended) text += ", " + value_text(*end->recommended) + " without noise";
  if (end->gain) text += ", " + signed_percent(*end->gain) + " against the baseline";
  const bool table = is_table(*end->study);
  text += is_real(*end->study) && !table ? ". The simulator's answer:" : ".";
  document.add(Paragraph{text});
  document.add(
      Command{table ? config_text(launch.config)
                    : simulate_command(*end->study, launch.config, problem.baseline.settings)});
  if (problem.baseline.settings.empty()) return;
  const Table differences = difference_table(problem.baseline.settings, launch.config);
  if (differences.rows.empty()) document.add(Paragraph{"It is the baseline."});
  document.add(differences);
}

std::string report_command(const search::StudySet& set, const ReportOptions& options,
                           const std::string& out) {
  std::string command = "cubicbench report";
  for (const std::string& folder : folder_names(set)) command += " " + shell_word(folder);
  command += " --out " + shell_word(out);
  if (options.curves.hide_failures) command += " --hide-failures";
  if (options.curves.permutations) {
    command += " --permutations " + std::to_string(*options.curves.permutations);
  }
  for (const GivenEnumeration& given : options.given) {
    command += " --optimum " + shell_word(shown_file(given.file));
  }
  return command;
}

Json optimum_json(const SearchedProblem& problem) {
  Json optimum{{"note", problem.known.note}};
  if (!problem.known.command.empty()) optimum["command"] = problem.known.command;
  const auto& scale = problem.yardstick.scale;
  optimum["value"] = scale ? Json(scale->best) : Json();
  optimum["median"] = scale ? Json(scale->reference) : Json();
  return optimum;
}

}  // namespace

void add_search_section(const SearchedProblem& problem, const SearchSection& section,
                        Document& document) {
  const std::string name = problem_name(*problem.study);
  document.add(Heading{section.heading.empty() ? name : section.heading + ": " + name, section.id});
  document.add(Drawing{.figure = search_figure(problem, section.id),
                       .label = name + ": " + measure_of(*problem.study) +
                                " against jobs; the tables below hold the numbers",
                       .caption = search_caption(problem),
                       .stem = section.file_stem,
                       .csv = search_csv(problem)});
  document.add(Paragraph{problem.baseline.note, true});
  add_results(problem, document);
  add_regret(problem, section, document);
  add_failures(problem, document);
  document.add(Heading{.text = "Best configurations", .level = 3});
  for (const SearchedSeries& series : problem.series) add_best(problem, series.end, document);
}

Document report_document(const search::StudySet& set, const std::vector<SearchedProblem>& problems,
                         const std::filesystem::path& out_html, const ReportOptions& options) {
  Document document{.title = "Search report"};
  add_asked(set, document);
  const std::vector<std::string> labels = file_labels(grouped_studies(set));
  for (std::size_t i = 0; i < problems.size(); ++i) {
    add_search_section(problems[i],
                       {.id = "scenario-" + std::to_string(i + 1),
                        .file_stem = out_html.stem().string() + "." + labels[i]},
                       document);
  }
  std::vector<std::string> commands = search_commands(set);
  commands.push_back(report_command(set, options, out_html.filename().string()));
  add_origin(set, commands, document);
  return document;
}

Json problems_json(const std::vector<SearchedProblem>& problems) {
  Json list = Json::array();
  for (const SearchedProblem& problem : problems) {
    Json searchers = Json::array();
    for (const SearchedSeries& series : problem.series) {
      searchers.push_back(json_of(series.end, series_fields()));
    }
    list.push_back({{"scenario", problem.study->scenario},
                    {"instance", problem.study->instance},
                    {"optimum", optimum_json(problem)},
                    {"searchers", searchers}});
  }
  return list;
}

}  // namespace cubicbench::results
