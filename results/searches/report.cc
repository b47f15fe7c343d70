#include "results/searches/report.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "datasets/exhaustive/best_found.h"
#include "results/document/cell_text.h"
#include "results/document/json.h"
#include "results/document/number_text.h"
#include "results/regret/regret_figure.h"
#include "results/score/score_document.h"
#include "results/searches/finding.h"
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
  Table table = table_of<SeriesEnd>(ends, series_fields());
  set_best(table, {"gain_over_baseline", "share_within_1_percent", "share_within_5_percent"},
           Best::greatest);
  set_best(table, {"regret", "observed_regret"}, Best::least);
  set_best(table, {"measured", "true_value"}, problem.maximize() ? Best::greatest : Best::least);
  return table;
}

/// How each searcher did. A page that begins with it (`first`) folds what the columns mean.
void add_results(const SearchedProblem& problem, bool first, Document& document) {
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
    text += is_replay(*problem.study)
                ? " A search that is played again does not tell values without noise."
            : is_real(*problem.study) ? " Real runs do not tell values without noise."
                                      : " Values without noise were not kept.";
  }
  if (first) {
    document.add(table);
    document.add(Folded{.summary = "What the columns mean", .blocks = {{Paragraph{text}}}});
    return;
  }
  document.add(Heading{.text = "How each searcher did", .level = 3});
  document.add(Paragraph{text});
  document.add(table);
}

/// The numbers of a problem beside their drawing, in memory unless they are streamed.
Drawing with_numbers(Drawing drawing, const SearchedProblem& problem,
                     void (*write_numbers)(const SearchedProblem&, const FilePiece&),
                     bool streams) {
  const FilePieces pieces = [&problem, write_numbers](const FilePiece& write) {
    write_numbers(problem, write);
  };
  if (streams) {
    drawing.csv_pieces = pieces;
  } else {
    drawing.csv = text_of(pieces);
  }
  return drawing;
}

void add_regret(const SearchedProblem& problem, const SearchSection& section, Document& document) {
  const auto& scale = problem.yardstick.scale;
  document.add(Heading{.text = "Regret", .level = 3});
  if (scale) {
    document.add(with_numbers({.figure = regret_figure(problem, section.id + "-regret"),
                               .label = problem.study->scenario +
                                        ": regret of the recommendation against jobs; the table "
                                        "below holds the numbers",
                               .caption = regret_caption(problem),
                               .stem = section.file_stem + ".regret"},
                              problem, write_regret_csv, section.streams));
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

/// A searcher's best configuration.
struct BestOf {
  std::string name;
  ConfigText config;
};

/// What each searcher's best configuration has otherwise than the baseline: a row a setting, a
/// column a searcher.
Table best_table(const ConfigText& baseline, const std::vector<BestOf>& all) {
  constexpr const char* inactive = "(not active)";
  const auto value_in = [&](const ConfigText& of, const std::string& name) -> std::string {
    const auto found = std::ranges::find(of, name, &ConfigText::value_type::first);
    return found == of.end() ? inactive : found->second;
  };
  Table table{.columns = {{"setting", "setting"}, {"baseline", "baseline"}}};
  for (const BestOf& best : all) table.columns.push_back({best.name, best.name});
  std::vector<const ConfigText*> configs{&baseline};
  for (const BestOf& best : all) configs.push_back(&best.config);
  std::set<std::string> listed;
  for (const ConfigText* const of : configs) {
    for (const auto& [name, value] : *of) {
      if (!listed.insert(name).second) continue;
      std::vector<Cell> row{name};
      bool differs = false;
      for (const ConfigText* const config : configs) {
        row.emplace_back(value_in(*config, name));
        differs = differs || row.back() != row[1];
      }
      if (differs) table.rows.push_back(std::move(row));
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

/// "cubicml: trial 140 of seed 3, measured 597.9 k, ..."
std::string best_text(const std::string& name, const StudyEnd& end) {
  const search::StudyLaunch& launch = end.study->launches[*end.best];
  std::string text = name + ": trial " + std::to_string(launch.trial) + " of seed " +
                     std::to_string(end.study->seed) + ", measured " + value_text(*end.observed);
  if (end.recommended) text += ", " + value_text(*end.recommended) + " without noise";
  if (end.gain) text += ", " + signed_percent(*end.gain) + " against the baseline";
  const bool answers = is_replay(*end.study) || (is_real(*end.study) && !is_table(*end.study));
  return text + (answers ? ". The simulator's answer:" : ".");
}

void add_best(const SearchedProblem& problem, Document& document) {
  document.add(Heading{.text = "Best configurations", .level = 3});
  std::vector<BestOf> all;
  for (const SearchedSeries& series : problem.series) {
    const StudyEnd* const end = winner_of(series.end);
    if (end == nullptr) {
      document.add(Paragraph{series.end.name + ": no launch succeeded."});
      continue;
    }
    const ConfigText config = end->study->config_of(end->study->launches[*end->best]);
    all.push_back({.name = series.end.name, .config = config});
    document.add(Paragraph{best_text(series.end.name, *end)});
    document.add(Command{is_table(*end->study)
                             ? config_text(config)
                             : simulate_command(*end->study, config, problem.baseline.settings)});
  }
  if (problem.baseline.settings.empty() || all.empty()) return;
  const Table table = best_table(problem.baseline.settings, all);
  if (table.rows.empty()) document.add(Paragraph{"All are the baseline."});
  document.add(table);
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

/// Of several problems together, which one page shows first; of others than a suite's only where
/// all have a score.
void add_score(const search::StudySet& set, const std::vector<SearchedProblem>& problems,
               const std::string& stem, Document& document) {
  std::string suite;
  for (const search::SearchedFolder& folder : set.folders) {
    if (!folder.asked.suite.empty()) suite = folder.asked.suite;
  }
  if (suite.empty() && problems.size() < 2) return;
  const SuiteScore score = suite_score(problems);
  if (suite.empty() && score.searchers.empty()) return;
  add_score_table(score, suite.empty() ? "All problems" : "Suite " + suite, document);
  add_score_figures(score, stem + ".score", document);
  add_power(score, document);
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
  // Under a heading of its own the page has said it before.
  const bool opens = section.heading.empty();
  if (opens) {
    document.add(Paragraph{finding_of(problem)});
    add_results(problem, opens, document);
  }
  document.add(with_numbers({.figure = search_figure(problem, section.id),
                             .label = name + ": " + measure_of(*problem.study) +
                                      " against jobs; the tables below hold the numbers",
                             .caption = search_caption(problem),
                             .stem = section.file_stem},
                            problem, write_search_csv, section.streams));
  document.add(Paragraph{problem.baseline.note, true});
  if (!opens) add_results(problem, opens, document);
  add_regret(problem, section, document);
  add_failures(problem, document);
  add_best(problem, document);
}

Document report_document(const search::StudySet& set, const std::vector<SearchedProblem>& problems,
                         const std::filesystem::path& out_html, const ReportOptions& options) {
  Document document{.title = "Search report", .contents = true};
  add_score(set, problems, out_html.stem().string(), document);
  const std::vector<std::string> labels = file_labels(grouped_studies(set));
  for (std::size_t i = 0; i < problems.size(); ++i) {
    add_search_section(problems[i],
                       {.id = "scenario-" + std::to_string(i + 1),
                        .file_stem = out_html.stem().string() + "." + labels[i],
                        .streams = true},
                       document);
  }
  add_asked(set, document);
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
