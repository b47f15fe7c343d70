#include "results/searches/search_figure.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include "results/document/axis_unit.h"
#include "results/document/csv_lines.h"
#include "results/document/number_text.h"
#include "results/document/series_look.h"
#include "results/searches/failure_strip.h"
#include "results/searches/search_rounds.h"
#include "support/json/canonical.h"

namespace cubicbench::results {
namespace {

template <typename Number>
std::vector<FigurePoint> points_of(const std::vector<Number>& values) {
  std::vector<FigurePoint> points;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::optional<double> value = values[i];
    if (value) points.push_back({static_cast<double>(i + 1), *value});
  }
  return points;
}

/// A name that fits into the legend with what follows it.
std::string legend_name(const std::string& series) {
  constexpr std::size_t name_max = 80;
  if (series.size() <= name_max) return series;
  return series.substr(0, 57) + "..." + series.substr(series.size() - 20);
}

std::vector<std::int64_t> rounds_of(const SearchedProblem& problem, std::size_t i) {
  return rounds_of(problem.series[i].curves, problem.options.hide_failures);
}

/// Colours of rounds are those of one searcher: of two they could not be told apart.
bool shows_rounds(const SearchedProblem& problem, std::size_t i) {
  return i == subject_of(problem) && has_rounds(problem.series[i].curves);
}

/// Series `i` or a part of it, in its colour or in those of its rounds.
void add(const SearchedProblem& problem, std::size_t i, Series series, Figure& figure) {
  series.of = problem.series[i].curves.series;
  if (!shows_rounds(problem, i)) {
    figure.series.push_back(std::move(series));
    return;
  }
  std::ranges::move(colored_by_round(series, rounds_of(problem, i)),
                    std::back_inserter(figure.series));
}

/// The exact mean of random search, where that is series `i`.
Series exact_line(const SearchedProblem& problem, std::size_t i) {
  return {.of = problem.series[i].curves.series,
          .style = SeriesStyle::line,
          .color = i == 0 ? "#808080" : searcher_looks(problem)[i].color,
          .dash = 3,
          .width = 2.0};
}

void add_band(const SearchedProblem& problem, std::size_t i, Figure& figure) {
  const SearcherCurves& curves = problem.series[i].curves;
  if (curves.low.empty()) return;
  Series band{.of = curves.series,
              .style = SeriesStyle::band,
              .color = searcher_looks(problem)[i].color,
              .points = points_of(curves.low)};
  for (std::size_t k = 0; k < curves.high.size(); ++k) band.points[k].y_high = curves.high[k];
  figure.series.push_back(band);
}

void add_dots(const SearchedProblem& problem, std::size_t i, Figure& figure) {
  if (i != subject_of(problem)) return;
  const SearcherCurves& curves = problem.series[i].curves;
  Series dots{.style = SeriesStyle::dots,
              .color = searcher_looks(problem)[i].color,
              .width = 1.0,
              .mark = PointMark::full_circle,
              .size = 0.3};
  for (const CurveJob& job : jobs_of(*curves.studies.front(), problem.options.hide_failures)) {
    if (job.of->value && job.plotted_at) {
      dots.points.push_back({static_cast<double>(*job.plotted_at), *job.of->value});
    }
  }
  add(problem, i, dots, figure);
}

void add_line(const SearchedProblem& problem, std::size_t i, Figure& figure) {
  const SearcherCurves& curves = problem.series[i].curves;
  Series line{.style = curves.random ? SeriesStyle::line : SeriesStyle::steps,
              .color = searcher_looks(problem)[i].color,
              .dash = searcher_looks(problem)[i].dash,
              .width = i == subject_of(problem) ? 2.5 : 1.8,
              .points = points_of(curves.frontier)};
  if (curves.random) {
    line.points =
        points_of(problem.averages_orders() ? curves.permutation_mean : curves.exact_mean);
    if (!problem.shows_expected_random()) {
      figure.series.push_back(line);
      figure.series.back().of = curves.series;
      figure.series.back().label =
          legend_name(curves.series) + ", mean of " +
          std::to_string(problem.options.permutations.value_or(usual_permutations)) + " orders";
      line = exact_line(problem, i);
      line.points = points_of(curves.exact_mean);
    }
  }
  if (line.points.empty()) return;
  const std::string name =
      legend_name(curves.series) +
      (curves.random && !problem.shows_expected_random() ? ", exact mean" : "");
  add(problem, i, line, figure);
  // A line in pieces is labelled at its end.
  figure.series.back().label = name;
  figure.series.back().label_color = searcher_looks(problem)[i].color;
  figure.series.back().title.clear();
}

/// What the legend says of the colours of rounds.
void add_keys(const SearchedProblem& problem, std::size_t i, Figure& figure) {
  if (!shows_rounds(problem, i)) return;
  const Series key{
      .style = SeriesStyle::dots, .width = 1.0, .mark = PointMark::full_circle, .size = 0.7};
  std::ranges::move(round_keys(key, rounds_of(problem, i)), std::back_inserter(figure.series));
}

/// The lowest and the highest value that the axis is to hold.
using Range = std::ranges::min_max_result<double>;

Range range_of(const SearchedProblem& problem, const Figure& figure) {
  std::vector<double> values;
  for (const Series& series : figure.series) {
    for (const FigurePoint& point : series.points) {
      values.push_back(point.y);
      if (series.style == SeriesStyle::band) values.push_back(point.y_high);
    }
  }
  if (problem.baseline.value) values.push_back(*problem.baseline.value);
  return values.empty() ? Range{0.0, 1.0} : std::ranges::minmax(values);
}

/// From zero, unless everything would be squeezed into the upper half; then the label says so.
Axis axis_of(const std::string& measure, const Range& values, const AxisUnit& unit) {
  const double high = values.max / unit.size;
  const double low = values.min / unit.size;
  const bool cut = low > 0.5 * high;
  const double range = cut ? std::max(high - low, 0.01 * high) : std::max(high, 1e-9);
  const double step = tick_step(range * 1.05);
  Axis axis{.label = measure + unit.ending};
  axis.min = cut ? std::floor((low - 0.05 * range) / step) * step
                 : std::min(0.0, std::floor(low / step) * step);
  axis.max = axis.min + std::ceil((high + 0.03 * range - axis.min) / step) * step;
  if (cut) axis.label += " (axis starts at " + support::shortest(axis.min) + ")";
  return axis;
}

/// The y axis, and all that is drawn in its unit.
void scale_y(const SearchedProblem& problem, const Range& range, Figure& figure) {
  const AxisUnit unit = axis_unit(range.max);
  figure.y = axis_of(measure_of(*problem.study), range, unit);
  for (Series& series : figure.series) {
    for (FigurePoint& point : series.points) {
      point.y /= unit.size;
      point.y_high /= unit.size;
    }
  }
  if (const auto baseline = problem.baseline.value) {
    figure.levels.push_back({*baseline / unit.size, "baseline " + scaled(*baseline)});
  }
}

/// Places on the x axis; where nothing succeeded, and all may be hidden, launches.
std::size_t places(const SearchedProblem& problem, bool success) {
  std::size_t most = 1;
  for (const SearchedSeries& series : problem.series) {
    most = std::max(most, success ? places_of(series.curves, problem.options.hide_failures)
                                  : longest(series.curves.studies));
  }
  return most;
}

constexpr std::string_view csv_columns =
    "series,scenario,instance,searcher,seed,launch,trial,round,state,reason,value,true_value,"
    "best_so_far,cumulative_cost_gpu_hours,plotted_at\n";

void add_jobs(const search::StudyResult& study, bool hide_failures, CsvLines& lines) {
  for (const CurveJob& job : jobs_of(study, hide_failures)) {
    lines.add("job").add(study.scenario).add(study.instance).add(study.series).add(study.seed);
    lines.add(job.launch).add(job.of->trial).add(job.of->round);
    lines.add(name_of(job.of->state)).add(name_of(job.of->reason));
    lines.add(job.of->value).add(job.of->true_value()).add(job.best_so_far);
    lines.add(job.cost_gpu_hours).add(job.plotted_at).end_line();
  }
}

/// A row per place on the x axis, from 1. `rounds` has a round per place, or is empty.
template <typename Number>
void add_curve(std::string_view series, const search::StudyResult& study,
               const std::vector<Number>& values, const std::vector<std::int64_t>& rounds,
               CsvLines& lines) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::optional<double> value = values[i];
    if (!value) continue;
    lines.add(series).add(study.scenario).add(study.instance).add(study.series).empty();
    lines.add(i + 1).empty();
    lines.add(rounds.empty() ? std::optional<std::int64_t>() : rounds[i]).empty(4);
    lines.add(value).empty().add(i + 1).end_line();
  }
}

}  // namespace

std::size_t subject_of(const SearchedProblem& problem) {
  const auto is_cubicml = [&](std::size_t i) {
    return problem.series[i].curves.studies.front()->searcher.starts_with("cubicml");
  };
  std::optional<std::size_t> subject;
  for (std::size_t i = 0; i < problem.series.size(); ++i) {
    if (!has_rounds(problem.series[i].curves)) continue;
    if (!subject || (is_cubicml(i) && !is_cubicml(*subject))) subject = i;
  }
  return subject.value_or(problem.series.size() - 1);
}

Figure search_figure(const SearchedProblem& problem, const std::string& name) {
  const bool success = std::ranges::any_of(problem.series, [](const SearchedSeries& series) {
    return !series.end.all(&StudyEnd::observed).empty();
  });
  Figure figure;
  figure.name = name;
  figure.title = problem.study->scenario + ": best of the jobs launched so far";
  figure.x.label = problem.options.hide_failures
                       ? "number of jobs that finished (failed ones are not counted)"
                       : "number of jobs launched (failed ones count)";
  figure.x.max = static_cast<double>(places(problem, success));
  if (!success) figure.message = "no launch succeeded";
  for (const auto add_part : {add_band, add_dots, add_line, add_keys}) {
    for (std::size_t i = 0; success && i < problem.series.size(); ++i) {
      add_part(problem, i, figure);
    }
  }
  Range range = range_of(problem, figure);
  if (success && problem.shows_expected_random()) {
    figure.series.push_back(exact_line(problem, 0));
    figure.series.back().label = problem.random_label();
    figure.series.back().of = problem.random_label();
    figure.series.back().points = points_of(problem.random_best.mean);
    // Where less is better, failures may be far above all that was measured.
    if (problem.maximize()) range = range_of(problem, figure);
  }
  scale_y(problem, range, figure);
  if (!problem.options.hide_failures) add_failure_strip(problem, figure);
  return figure;
}

void write_search_csv(const SearchedProblem& problem, const FilePiece& write) {
  CsvLines lines(csv_columns, write);
  if (problem.baseline.value) {
    lines.add("baseline").add(problem.study->scenario).add(problem.study->instance).empty(8);
    lines.add(problem.baseline.value).empty(3).end_line();
  }
  const bool hide_failures = problem.options.hide_failures;
  for (const SearchedSeries& series : problem.series) {
    const SearcherCurves& curves = series.curves;
    const search::StudyResult& first = *curves.studies.front();
    for (const search::StudyResult* const study : curves.studies)
      add_jobs(*study, hide_failures, lines);
    add_curve("frontier", first, curves.frontier, rounds_of(curves, hide_failures), lines);
    add_curve("permutation_mean", first, curves.permutation_mean, {}, lines);
    add_curve("exact_mean", first, curves.exact_mean, {}, lines);
    add_curve("low", first, curves.low, {}, lines);
    add_curve("high", first, curves.high, {}, lines);
  }
  lines.end();
}

std::string search_csv(const SearchedProblem& problem) {
  return text_of([&](const FilePiece& write) { write_search_csv(problem, write); });
}

}  // namespace cubicbench::results
