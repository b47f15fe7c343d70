#include "results/score/score_document.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "results/document/cell_text.h"
#include "results/document/csv.h"
#include "results/document/json.h"
#include "results/document/number_text.h"
#include "results/document/series_look.h"
#include "search/finished/study_set.h"
#include "support/joined.h"

namespace cubicbench::results {
namespace {

constexpr std::array power_seeds{10.0, 30.0, 100.0, 300.0};

template <auto number>
Cell mean_cell(const SearcherScore& of) {
  return of.mean(number);
}

const Field<SearcherScore> fields[] = {
    {{"searcher", "searcher"}, &SearcherScore::searcher},
    {{"score", "score", Show::fixed3, "",
      "share of the gap between baseline and optimum that the recommendation closes, the mean over "
      "the problems of the mean over the seeds"},
     [](const SearcherScore& of) { return of.score(); }},
    {{"interval", "95 %", Show::figure, "", "bootstrap interval over problems and seeds"},
     [](const SearcherScore& of) { return interval_cell(of.interval()); }},
    {{"of_optimum", "of the optimum", Show::percent, "",
      "the recommendation's value against the optimum's"},
     mean_cell<&StudyScore::of_optimum>},
    {{"failed_share", "failed", Show::percent, "", "share of the launches"},
     mean_cell<&StudyScore::failed_share>},
    {{"lost_to_noise", "lost to noise", Show::fixed3, "",
      "how much higher the best configuration that was launched scores than the recommended one"},
     mean_cell<&StudyScore::lost_to_noise>},
    {{"studies", "studies", Show::count}, [](const SearcherScore& of) {
       std::size_t studies = 0;
       for (const ProblemScore& problem : of.problems) studies += problem.studies.size();
       return studies;
     }}};

std::vector<SeriesLook> looks(const SuiteScore& suite) {
  std::vector<std::string> names;
  for (const SearcherScore& of : suite.searchers) names.push_back(of.searcher);
  return looks_of(names);
}

/// A line per searcher; `curve` has its points.
template <typename Curve>
Drawing drawing_of(const SuiteScore& suite, Axis x, const std::string& name, const Curve& curve) {
  Figure figure;
  figure.name = name;
  figure.title = "Score: " + x.label;
  Table table{.columns = data_columns({"searcher", "x", "score"})};
  double lowest = 0.0;
  const std::vector<SeriesLook> look = looks(suite);
  for (std::size_t i = 0; i < suite.searchers.size(); ++i) {
    Series line{.label = suite.searchers[i].searcher, .color = look[i].color, .dash = look[i].dash};
    line.points = curve(suite.searchers[i]);
    for (const FigurePoint& point : line.points) {
      lowest = std::min(lowest, point.y);
      table.rows.push_back({suite.searchers[i].searcher, point.x, point.y});
    }
    figure.series.push_back(std::move(line));
  }
  figure.x = std::move(x);
  figure.y = score_axis(lowest);
  return {.figure = std::move(figure), .caption = {}, .stem = name, .csv = csv_of(table)};
}

std::vector<FigurePoint> launch_points(const SearcherScore& of) {
  std::vector<FigurePoint> points;
  const std::vector<double> scores = of.after_launches();
  for (std::size_t i = 0; i < scores.size(); ++i) {
    points.push_back({static_cast<double>(i + 1), scores[i]});
  }
  return points;
}

std::vector<FigurePoint> cost_points(const SearcherScore& of, double most) {
  constexpr int places = 100;
  std::vector<FigurePoint> points;
  for (int i = 0; i <= places; ++i) {
    const double spent = most * i / places;
    if (const auto score = of.after_gpu_hours(spent)) points.push_back({spent, *score});
  }
  return points;
}

/// The result in a sentence or two.
std::string finding_of(const SuiteScore& suite) {
  const SearcherScore& best = suite.searchers.front();
  const support::Interval interval = best.interval();
  std::string text = "Over " + counted(best.problems.size(), "problem", "problems") + " " +
                     best.searcher + " closes " + percent(best.score()) +
                     " of the gap between baseline and optimum (95 %: " + percent(interval.low) +
                     " to " + percent(interval.high) + ").";
  if (suite.searchers.size() < 2) return text;
  const std::vector<SearcherScore> others(suite.searchers.begin() + 1, suite.searchers.end());
  return text + " The others: " +
         support::joined(
             others, ", ",
             [](const SearcherScore& of) { return of.searcher + " " + score_text(of.score()); }) +
         ".";
}

std::size_t longest(const SuiteScore& suite) {
  std::size_t launches = 1;
  for (const SearcherScore& of : suite.searchers) {
    launches = std::max(launches, of.after_launches().size());
  }
  return launches;
}

}  // namespace

void add_score_table(const SuiteScore& suite, const std::string& title, Document& document) {
  document.add(Heading{title, "score"});
  if (!suite.note.empty()) {
    document.add(Paragraph{suite.note, true});
    return;
  }
  if (!suite.searchers.empty()) document.add(Paragraph{finding_of(suite)}, Media::written);
  const Table table = table_of<SearcherScore>(suite.searchers, fields);
  document.add(table);
  document.add(Paragraph{"Columns: " + help_text(table)}, Media::written);
  if (suite.tellings.size() == 1) {
    document.add(
        Paragraph{"Searchers were told of failures by --telling " + suite.tellings.front() + "."});
  }
  if (!suite.from_median.empty()) {
    document.add(Paragraph{"No baseline is known of " + support::joined(suite.from_median, ", ") +
                           ": their gap begins at the median of what runs."});
  }
  if (!suite.left_out.empty()) {
    document.add(Paragraph{"Without a score, as they did not search every problem: " +
                           support::joined(suite.left_out, ", ") + "."});
  }
}

void add_score_figures(const SuiteScore& suite, const std::string& stem, Document& document) {
  if (suite.searchers.empty()) return;
  const auto launches = static_cast<double>(longest(suite));
  Drawing after = drawing_of(suite, {.label = "launches", .min = 1.0, .max = launches},
                             stem + ".launches", launch_points);
  after.caption =
      "Mean score over all problems after each launch, failed ones counted. A study that ended "
      "keeps its last score.";
  document.add(std::move(after));
  const auto spent = [&](const SearcherScore& of) { return cost_points(of, launches); };
  Drawing cost = drawing_of(
      suite,
      {.label = "GPU-hours, in launches of the problem's baseline", .min = 0.0, .max = launches},
      stem + ".gpu-hours", spent);
  const bool known = std::ranges::any_of(cost.figure.series,
                                         [](const Series& line) { return !line.points.empty(); });
  if (known) {
    cost.caption =
        "The same against what the launches cost: one unit is what launching the problem's "
        "baseline "
        "takes. Launches that fail at once cost little, slow ones much.";
    document.add(std::move(cost));
  }
}

void add_power(const SuiteScore& suite, Document& document) {
  const SearcherScore* widest = nullptr;
  for (const SearcherScore& of : suite.searchers) {
    const auto sd = seed_sd(of);
    if (sd && (widest == nullptr || *sd > *seed_sd(*widest))) widest = &of;
  }
  if (widest == nullptr) return;
  Table table{.columns = {{"problem", "problem"}}};
  for (const double seeds : power_seeds) {
    const std::string text = fixed(seeds, 0);
    table.columns.push_back({"seeds_" + text, text + " seeds", Show::fixed3});
  }
  const auto add = [&](const std::string& name, double sd) {
    std::vector<Cell> row{name};
    for (const double seeds : power_seeds) row.emplace_back(smallest_difference(sd, seeds));
    table.rows.push_back(std::move(row));
  };
  add("score of all", *seed_sd(*widest));
  for (const ProblemScore& problem : widest->problems) {
    if (const auto sd = seed_sd(problem)) add(problem_name(*problem.problem->study), *sd);
  }
  document.add(Heading{"What it can see", "power"});
  document.add(Paragraph{
      "The smallest difference in score that two searchers with as many seeds each show (two-sided "
      "level 5 %, power 80 %), if both scatter as " +
      widest->searcher + " does, whose score varies most."});
  document.add(std::move(table));
}

std::string score_text(double score) {
  const std::string digits = fixed(std::abs(score), 3);
  return score < 0.0 && digits != "0.000" ? "\xE2\x88\x92" + digits : digits;
}

Axis score_axis(double lowest) {
  constexpr double tick = 0.2;
  return {.label = "score (0: baseline, 1: optimum)",
          .min = std::floor(lowest / tick) * tick,
          .max = 1.0};
}

Cell interval_cell(const support::Interval& interval) {
  return Record{.members = {{"low", interval.low}, {"high", interval.high}},
                .words = score_text(interval.low) + " to " + score_text(interval.high)};
}

nlohmann::ordered_json score_json(const SuiteScore& suite) {
  if (suite.searchers.empty()) return nullptr;
  return json_of(table_of<SearcherScore>(suite.searchers, fields));
}

}  // namespace cubicbench::results
