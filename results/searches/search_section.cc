#include "results/searches/search_section.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "results/document/figure.h"
#include "results/layout/figure_html.h"
#include "results/layout/html_table.h"
#include "results/document/markup.h"
#include "results/document/number_text.h"
#include "results/regret/group_regret.h"
#include "results/regret/regret_section.h"
#include "results/searches/search_caption.h"
#include "results/searches/search_csv.h"
#include "results/searches/search_figure.h"
#include "results/studies/study_commands.h"
#include "results/studies/study_problem.h"
#include "support/statistics/quantile.h"

namespace cubicbench::results {
namespace {

using scenarios::Direction;
using scenarios::Reason;

constexpr const char* unknown = "\xE2\x80\x93";  // an en dash

std::string value_text(double value) {
  return value < 1.0 && value > -1.0 ? fixed(value, 4) : scaled(value);
}

/// "312.4 k", or with several seeds "312.4 k (298.1 k to 320.0 k)": median, smallest, largest.
std::string spread_text(const std::vector<double>& values) {
  if (values.empty()) return unknown;
  std::string median = value_text(support::median(values));
  if (values.size() == 1) return median;
  return median + " (" + value_text(support::quantile(values, 0.0)) + " to " +
         value_text(support::quantile(values, 1.0)) + ")";
}

/// By how much `value` is better than `baseline`, as a share of it.
double gain(double value, double baseline, Direction direction) {
  return (direction == Direction::maximize ? value - baseline : baseline - value) / baseline;
}

std::string signed_percent(double share) {
  return (share >= 0.0 ? "+" : "\xE2\x88\x92") + percent(share >= 0.0 ? share : -share);
}

std::string gain_text(const std::vector<double>& values, const StudyProblem& problem) {
  if (values.empty() || !problem.baseline_value || *problem.baseline_value <= 0.0) return unknown;
  return signed_percent(
      gain(support::median(values), *problem.baseline_value, problem.objective.direction));
}

/// Best values of a searcher's studies, a number a study that has one.
struct BestValues {
  std::vector<double> measured;
  std::vector<double> truth;
};

BestValues best_values(const SearcherCurves& curves, Direction direction) {
  BestValues values;
  for (const StudyResult* const study : curves.studies) {
    if (const auto best = best_launch(*study, direction)) {
      const StudyLaunch& launch = study->launches[*best];
      values.measured.push_back(*launch.value);
      if (launch.true_value) values.truth.push_back(*launch.true_value);
    }
  }
  return values;
}

std::string share_text(double part, double whole) {
  return whole > 0.0 ? percent(part / whole) : unknown;
}

std::string capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') {
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  }
  return text;
}

/// Is any value known without noise?
bool has_truth(const StudyGroup& group) {
  for (const SearcherCurves& curves : group.searchers) {
    for (const StudyResult* const study : curves.studies) {
      for (const StudyLaunch& launch : study->launches) {
        if (launch.true_value) return true;
      }
    }
  }
  return false;
}

/// How the numbers of the table are to be read.
std::string reading_text(const StudyGroup& group, const StudyProblem& problem) {
  std::string text = capitalised(problem.label);
  if (problem.baseline_value) {
    text += "; the baseline is " + value_text(*problem.baseline_value) + " without noise";
  }
  text +=
      ". Over several seeds the median, and the smallest and the largest in brackets. \"Proposed "
      "again\" counts proposals of "
      "configurations that the same study had proposed before. The best "
      "measured value is optimistic, since noise helped to make it the best";
  if (has_truth(group)) {
    return text +
           ": without noise the same configuration is worth the value beside it, and the gain is "
           "of that.";
  }
  return text + (problem.real ? "; real runs do not tell what it is without noise."
                              : "; what it is without noise was not kept.");
}

std::string count_text(std::int64_t count) { return grouped(static_cast<std::uint64_t>(count)); }

std::string results_table(const StudyGroup& group, const GroupRegret& regret,
                          const StudyProblem& problem) {
  const bool truth = has_truth(group);
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < group.searchers.size(); ++i) {
    const SearcherCurves& curves = group.searchers[i];
    const StudyTally tally = regret.series[i].tally();
    const BestValues best = best_values(curves, problem.objective.direction);
    rows.push_back({curves.series, std::to_string(curves.studies.size()),
                    count_text(tally.all.launches), count_text(tally.duplicates),
                    spread_text(best.measured)});
    if (truth) rows.back().push_back(spread_text(best.truth));
    if (truth) rows.back().push_back(gain_text(best.truth, problem));
    rows.back().push_back(scaled(tally.all.gpu_hours));
  }
  std::vector<HtmlColumn> columns{{"Searcher"},
                                  {"Seeds", true},
                                  {"Launches", true},
                                  {"Proposed again", true},
                                  {"Best measured", true}};
  if (truth) columns.push_back({"The same without noise", true});
  if (truth) columns.push_back({"Gain over the baseline", true});
  columns.push_back({"GPU-hours", true});
  return html_table(columns, rows);
}

std::string failures_table(const GroupRegret& group) {
  std::vector<std::vector<std::string>> rows;
  std::int64_t failed = 0;
  for (const SeriesRegret& series : group.series) {
    const StudyTally tally = series.tally();
    failed += tally.failed.launches;
    const auto add = [&](const std::string& name, const LaunchCount& count) {
      rows.push_back(
          {series.series, name, count_text(count.launches),
           share_text(static_cast<double>(count.launches), static_cast<double>(tally.all.launches)),
           scaled(count.gpu_hours), share_text(count.gpu_hours, tally.all.gpu_hours)});
    };
    for (const Reason reason : failure_reasons) {
      const auto found = tally.failed_by_reason.find(reason);
      if (found != tally.failed_by_reason.end()) add(std::string(name_of(reason)), found->second);
    }
    add("all failures", tally.failed);
  }
  if (failed == 0) return "<p>No launch failed.</p>\n";
  return html_table({{"Searcher"},
                     {"Reason"},
                     {"Launches", true},
                     {"of all launches", true},
                     {"GPU-hours", true},
                     {"of all GPU-hours", true}},
                    rows);
}

using Config = std::vector<std::pair<std::string, std::string>>;

std::string value_in(const Config& config, const std::string& name) {
  for (const auto& [setting, value] : config) {
    if (setting == name) return value;
  }
  return "(not active)";
}

/// Settings in which the two differ, one of them inactive included.
std::string difference_table(const Config& baseline, const Config& config) {
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](const std::string& name) {
    const std::string before = value_in(baseline, name);
    const std::string after = value_in(config, name);
    if (before != after) rows.push_back({name, before, after});
  };
  for (const auto& [name, value] : config) add(name);
  for (const auto& before : baseline) {
    const bool listed = std::any_of(config.begin(), config.end(), [&](const auto& setting) {
      return setting.first == before.first;
    });
    if (!listed) add(before.first);
  }
  if (rows.empty()) return "<p>It is the baseline.</p>\n";
  return html_table({{"Setting"}, {"Baseline"}, {"Best found"}}, rows);
}

/// "tensor_parallel=8 micro_batch=2", in the order of the space.
std::string config_text(const std::vector<std::pair<std::string, std::string>>& config) {
  std::string text;
  for (const auto& [name, value] : config) {
    if (!text.empty()) text += ' ';
    text.append(name).append("=").append(value);
  }
  return text;
}

std::string best_of(const SearcherCurves& curves, const StudyProblem& problem) {
  const StudyResult* winner = nullptr;
  const StudyLaunch* best = nullptr;
  for (const StudyResult* const study : curves.studies) {
    const auto at = best_launch(*study, problem.objective.direction);
    if (!at) continue;
    const StudyLaunch& launch = study->launches[*at];
    if (!best || better(*launch.value, *best->value, problem.objective.direction)) {
      winner = study;
      best = &launch;
    }
  }
  std::string html = "<h4>" + escaped(curves.series) + "</h4>\n";
  if (best == nullptr) return html + "<p>No launch succeeded.</p>\n";
  html += "<p>Trial " + std::to_string(best->trial) + " of seed " + std::to_string(winner->seed) +
          ": measured " + value_text(*best->value);
  if (best->true_value) {
    html += ", " + value_text(*best->true_value) + " without noise";
    if (const std::string text = gain_text({*best->true_value}, problem); text != unknown) {
      html += ", " + escaped(text) + " against the baseline";
    }
  }
  html += problem.real && !problem.table ? ". What the simulator says of it:</p>\n" : ".</p>\n";
  if (problem.table) {
    html += "<pre>" + escaped(config_text(best->config)) + "</pre>\n";
  } else {
    html +=
        "<pre>" + escaped(simulate_command(*winner, best->config, problem.baseline)) + "</pre>\n";
  }
  if (!problem.baseline.empty()) html += difference_table(problem.baseline, best->config);
  return html;
}

}  // namespace

std::string add_search_section(const Studies& studies, const CurveOptions& options,
                               const KnownSpaces& spaces, const SearchSection& section,
                               std::vector<PageFile>& files) {
  const StudyProblem problem = problem_of(*studies.front());
  const StudyGroup group = group_of(studies, problem.objective.direction, options);
  const GroupRegret regret = group_regret(group, spaces, problem.baseline_value, options);
  const ExactRandom* const exact = regret.scale ? &regret.random_best : nullptr;
  std::string title = group.scenario;
  if (group.instance != 0) title += ", instance " + std::to_string(group.instance);
  const PageFile svg{section.file_stem + ".svg",
                     svg_of(search_figure(group, problem, options, section.figure_id, exact))};
  const PageFile csv{section.file_stem + ".csv", search_csv(group, problem, options)};
  std::string html = "<section id=\"" + escaped(section.id) + "\">\n<h2>" +
                     escaped(section.heading.empty() ? title : section.heading + ": " + title) +
                     "</h2>\n";
  html += figure_html(
      {.svg = svg.text,
       .label = title + ": " + problem.label + " against jobs; the tables below hold the numbers",
       .caption = search_caption(group, problem, options, exact),
       .svg_file = svg.name,
       .csv_file = csv.name});
  if (!problem.note.empty()) html += "<p class=\"note\">" + escaped(problem.note) + "</p>\n";
  html += "<h3>How each searcher did</h3>\n<p>" + escaped(reading_text(group, problem)) + "</p>\n";
  html += results_table(group, regret, problem);
  files.push_back(svg);
  files.push_back(csv);
  html += add_regret_section(group, regret, options, section.figure_id + "-regret",
                             section.file_stem, files);
  html += "<h3>What failures cost</h3>\n";
  html += failures_table(regret);
  html += "<h3>Best configurations</h3>\n";
  for (const SearcherCurves& curves : group.searchers) html += best_of(curves, problem);
  return html + "</section>\n";
}

}  // namespace cubicbench::results
