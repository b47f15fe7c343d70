#include "results/search_figure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>

#include "results/joined.h"
#include "results/number_text.h"
#include "scenarios/canonical.h"

namespace cubicbench::results {
namespace {

using scenarios::Reason;

/// How a series looks. No two of the first twelve are equal in colour and dash, nor in colour and
/// mark, nor in mark at all. Source of the colours, which people with any colour vision tell apart:
/// Okabe and Ito, "Color universal design", 2008.
constexpr std::array<std::string_view, 6> colors{"#0072B2", "#D55E00", "#009E73",
                                                 "#CC79A7", "#56B4E9", "#E69F00"};
constexpr std::array<PointMark, 12> marks{PointMark::full_circle,
                                          PointMark::full_triangle,
                                          PointMark::full_square,
                                          PointMark::full_diamond,
                                          PointMark::full_triangle_down,
                                          PointMark::full_pentagon,
                                          PointMark::square,
                                          PointMark::circle,
                                          PointMark::triangle,
                                          PointMark::pentagon,
                                          PointMark::diamond,
                                          PointMark::triangle_down};
constexpr std::array<int, 4> dashes{1, 2, 4, 5};
constexpr std::size_t looks = marks.size();

constexpr std::array<std::pair<Reason, PointMark>, 6> reason_marks{
    {{Reason::invalid, PointMark::star},
     {Reason::oom_init, PointMark::cross},
     {Reason::oom_late, PointMark::plus},
     {Reason::timeout, PointMark::square},
     {Reason::infra, PointMark::triangle},
     {Reason::numeric, PointMark::diamond}}};

std::string_view phrase_of(Reason reason) {
  switch (reason) {
    case Reason::invalid:
      return "cannot be laid out";
    case Reason::oom_init:
      return "out of memory at the start";
    case Reason::oom_late:
      return "out of memory later";
    case Reason::timeout:
      return "time limit";
    case Reason::infra:
      return "infrastructure";
    case Reason::numeric:
      return "diverged";
    case Reason::none:
      break;
  }
  return "unknown";
}

std::vector<FigurePoint> points_of(const Values& values, double scale) {
  std::vector<FigurePoint> points;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i]) points.push_back({static_cast<double>(i + 1), *values[i] / scale});
  }
  return points;
}

std::vector<FigurePoint> points_of(const std::vector<double>& values, double scale) {
  return points_of(Values(values.begin(), values.end()), scale);
}

std::size_t launches_of(const SearcherCurves& curves) {
  std::size_t launches = 0;
  for (const StudyResult* const study : curves.studies) {
    launches = std::max(launches, study->launches.size());
  }
  return launches;
}

bool any_success(const StudyGroup& group) {
  for (const SearcherCurves& curves : group.searchers) {
    for (const StudyResult* const study : curves.studies) {
      if (best_launch(*study, scenarios::Direction::maximize)) return true;
    }
  }
  return false;
}

/// Points of the series' line: it ends after that many jobs.
std::size_t line_end(const SearcherCurves& curves) {
  return std::max(curves.frontier.size(), curves.exact_mean.size());
}

std::size_t places_of(const SearcherCurves& curves, scenarios::Direction direction,
                      bool hide_failures) {
  std::size_t places = line_end(curves);
  for (const CurveJob& job : jobs_of(*curves.studies.front(), direction, hide_failures)) {
    if (job.plotted_at) places = std::max(places, static_cast<std::size_t>(*job.plotted_at));
  }
  return places;
}

/// A name that fits into the legend with what follows it.
std::string legend_name(const std::string& series) {
  constexpr std::size_t name_max = 80;
  if (series.size() <= name_max) return series;
  return series.substr(0, 57) + "..." + series.substr(series.size() - 20);
}

class Drawing {
 public:
  Drawing(const StudyGroup& group, const StudyProblem& problem, const CurveOptions& options)
      : group_(group), problem_(problem), options_(options) {
    find_range();
  }

  Figure figure(const std::string& name) {
    Figure figure;
    figure.name = name;
    figure.title = group_.scenario + ": best of the jobs launched so far";
    figure.x_label = options_.hide_failures
                         ? "number of jobs that finished (failed ones are not counted)"
                         : "number of jobs launched (failed ones count)";
    figure.x_max = std::max(1.0, static_cast<double>(launches_));
    add_axis(figure);
    if (!success_) figure.message = "no launch succeeded";
    if (success_) add_curves(figure);
    if (!options_.hide_failures) add_strip(figure);
    if (problem_.baseline_value) {
      figure.levels.push_back(
          {*problem_.baseline_value / scale_, "baseline " + scaled(*problem_.baseline_value)});
    }
    return figure;
  }

 private:
  void add_curves(Figure& figure) const {
    for (std::size_t i = 0; i < group_.searchers.size(); ++i) {
      add_bands(group_.searchers[i], i, figure);
    }
    for (std::size_t i = 0; i < group_.searchers.size(); ++i) {
      figure.series.push_back(dots_of(group_.searchers[i], i));
    }
    for (std::size_t i = 0; i < group_.searchers.size(); ++i) {
      add_lines(group_.searchers[i], i, figure);
    }
    for (std::size_t i = 0; i < group_.searchers.size(); ++i) {
      add_keys(group_.searchers[i], i, figure);
    }
  }

  void see(double value) {
    low_ = std::min(low_, value);
    high_ = std::max(high_, value);
  }
  void see(const std::vector<double>& values) {
    for (const double value : values) see(value);
  }

  void find_range() {
    for (const SearcherCurves& curves : group_.searchers) {
      launches_ = std::max(launches_, success_ ? places_of(curves, problem_.objective.direction,
                                                           options_.hide_failures)
                                               : launches_of(curves));
      if (success_) see(curves);
    }
    if (problem_.baseline_value) see(*problem_.baseline_value);
    if (low_ > high_) {  // nothing to show
      low_ = 0.0;
      high_ = 1.0;
    }
    scale_ = high_ >= 1e6 ? 1e6 : high_ >= 1e4 ? 1e3 : 1.0;
  }

  void see(const SearcherCurves& curves) {
    for (const StudyLaunch& launch : curves.studies.front()->launches) {
      if (launch.value) see(*launch.value);
    }
    for (const std::optional<double>& value : curves.frontier) {
      if (value) see(*value);
    }
    see(curves.permutation_mean);
    see(curves.low);
    see(curves.high);
  }

  /// From zero, unless everything would be squeezed into the upper half; then the label says so.
  void add_axis(Figure& figure) const {
    const double high = high_ / scale_;
    const double low = low_ / scale_;
    figure.y_label = problem_.label;
    if (scale_ > 1.0) figure.y_label += scale_ > 1e3 ? ", millions" : ", thousands";
    const bool cut = low > 0.5 * high;
    const double range = cut ? std::max(high - low, 0.01 * high) : std::max(high, 1e-9);
    const double step = tick_step(range * 1.05);
    figure.y_min = cut ? std::floor((low - 0.05 * range) / step) * step
                       : std::min(0.0, std::floor(low / step) * step);
    figure.y_max = figure.y_min + std::ceil((high + 0.03 * range - figure.y_min) / step) * step;
    if (cut) figure.y_label += " (axis starts at " + scenarios::shortest(figure.y_min) + ")";
  }

  std::string color(std::size_t i) const { return std::string(colors[i % colors.size()]); }

  void add_bands(const SearcherCurves& curves, std::size_t i, Figure& figure) const {
    if (curves.low.empty()) return;
    Series band{.title = {}, .style = SeriesStyle::band, .color = color(i), .points = {}};
    for (std::size_t k = 0; k < curves.low.size(); ++k) {
      band.points.push_back(
          {static_cast<double>(k + 1), curves.low[k] / scale_, curves.high[k] / scale_});
    }
    figure.series.push_back(band);
  }

  void add_lines(const SearcherCurves& curves, std::size_t i, Figure& figure) const {
    Series line{.title = {},
                .style = SeriesStyle::steps,
                .color = color(i),
                .dash = dashes[i % dashes.size()],
                .width = 2.5,
                .points = points_of(curves.frontier, scale_)};
    if (is_random(curves.searcher)) {
      line.style = SeriesStyle::line;
      line.points = points_of(curves.permutation_mean, scale_);
      figure.series.push_back(line);
      line = exact_line(i);
      line.points = points_of(curves.exact_mean, scale_);
    }
    figure.series.push_back(line);
  }

  Series exact_line(std::size_t i) const {
    return {.title = {},
            .style = SeriesStyle::line,
            .color = i == 0 ? "#000000" : color(i),
            .dash = 3,
            .width = 2.0,
            .points = {}};
  }

  /// What the legend says: a line with its dots a series, and random search's second line.
  void add_keys(const SearcherCurves& curves, std::size_t i, Figure& figure) const {
    const std::string name = legend_name(curves.series);
    const bool random = is_random(curves.searcher);
    const std::string averaged = ": mean of " + std::to_string(options_.permutations) + " orders";
    figure.series.push_back({.title = name + (random ? averaged : ""),
                             .style = SeriesStyle::key,
                             .color = color(i),
                             .dash = dashes[i % dashes.size()],
                             .width = 2.0,
                             .mark = marks[i % looks],
                             .size = 0.7,
                             .points = {}});
    if (!random) return;
    Series exact = exact_line(i);
    exact.title = name + ": exact mean";
    figure.series.push_back(exact);
  }

  Series dots_of(const SearcherCurves& curves, std::size_t i) const {
    Series dots{.title = {},
                .style = SeriesStyle::dots,
                .color = color(i),
                .width = 1.0,
                .mark = marks[i % looks],
                .size = 0.45,
                .points = {}};
    for (const CurveJob& job :
         jobs_of(*curves.studies.front(), problem_.objective.direction, options_.hide_failures)) {
      if (job.of->value) {
        dots.points.push_back({static_cast<double>(*job.plotted_at), *job.of->value / scale_});
      }
    }
    return dots;
  }

  /// One row a searcher, one mark a failed job of its first seed.
  void add_strip(Figure& figure) const {
    bool failed = false;
    std::map<Reason, bool> seen;
    std::vector<StripRow> rows;
    for (std::size_t i = 0; i < group_.searchers.size(); ++i) {
      StripRow row;
      for (const auto& [reason, mark] : reason_marks) {
        Series series{.title = {},
                      .style = SeriesStyle::dots,
                      .color = color(i),
                      .width = 1.2,
                      .mark = mark,
                      .size = 0.5,
                      .points = {}};
        const auto& launches = group_.searchers[i].studies.front()->launches;
        for (std::size_t k = 0; k < launches.size(); ++k) {
          if (launches[k].state == scenarios::TrialState::fail && launches[k].reason == reason) {
            series.points.push_back({static_cast<double>(k + 1), 0.0});
          }
        }
        seen[reason] = seen[reason] || !series.points.empty();
        failed = failed || !series.points.empty();
        row.series.push_back(series);
      }
      rows.push_back(row);
    }
    if (!failed) return;
    figure.strip_label = "failed";
    figure.strip = std::move(rows);
    for (const auto& [reason, mark] : reason_marks) {
      if (!seen[reason]) continue;
      figure.series.push_back({.title = "failed: " + std::string(phrase_of(reason)),
                               .style = SeriesStyle::dots,
                               .color = "#606060",
                               .width = 1.2,
                               .mark = mark,
                               .size = 0.6,
                               .points = {}});
    }
  }

  const StudyGroup& group_;
  const StudyProblem& problem_;
  const CurveOptions& options_;
  bool success_ = any_success(group_);
  double low_ = std::numeric_limits<double>::infinity();
  double high_ = 0.0;
  double scale_ = 1.0;
  std::size_t launches_ = 0;
};

/// Where the lines of seeds of different length end, and why.
std::string ends_text(const StudyGroup& group, scenarios::Direction direction,
                      const CurveOptions& options) {
  std::size_t longest = 0;
  for (const SearcherCurves& curves : group.searchers) {
    longest = std::max(longest, places_of(curves, direction, options.hide_failures));
  }
  std::vector<std::string> ends;
  for (const SearcherCurves& curves : group.searchers) {
    if (line_end(curves) < longest) {
      ends.push_back(curves.series + " at " + std::to_string(line_end(curves)));
    }
  }
  if (ends.empty()) return "";
  const std::string why =
      options.hide_failures ? "have that many jobs that succeeded" : "have made that many launches";
  return " A line goes as far as there are jobs, a median as far as at least half of the seeds " +
         why + ", and is over those that do: " + joined(ends, ", ") + ".";
}

}  // namespace

Figure search_figure(const StudyGroup& group, const StudyProblem& problem,
                     const CurveOptions& options, const std::string& name) {
  return Drawing(group, problem, options).figure(name);
}

std::string search_caption(const StudyGroup& group, const StudyProblem& problem,
                           const CurveOptions& options) {
  const bool maximize = problem.objective.direction == scenarios::Direction::maximize;
  bool random = false;
  bool seeds = false;
  for (const SearcherCurves& curves : group.searchers) {
    random = random || is_random(curves.searcher);
    seeds = seeds || curves.studies.size() > 1;
  }
  std::string text = problem.real ? "Each dot is what one real run measured."
                                  : "Each dot is what one job measured.";
  text += " A line is the best so far";
  text += seeds ? ": the median over the seeds, in a band of their quartiles; dots and marks are "
                  "of the first seed."
                : ".";
  if (random) {
    text +=
        " The order of random jobs means nothing, so random search has two lines: the best so "
        "far averaged over " +
        std::to_string(options.permutations) +
        " random orders of its jobs, and, dotted, the exact expectation of the best of k of them";
    text += seeds ? " (jobs of all seeds together; the band is the exact quartiles)." : ".";
    if (!options.hide_failures) {
      text += maximize ? " In these averages a failed job counts as zero."
                       : " In these averages a failed job counts as the worst value measured.";
    }
  }
  text += options.hide_failures
              ? " Failed jobs are neither shown nor counted, as in the paper; they cost time all "
                "the same."
              : " A failed job counts as a launch and is marked below the axis.";
  text += ends_text(group, problem.objective.direction, options);
  if (problem.baseline_value) {
    text += " The line of long dashes is the noise-free value of the scenario's baseline.";
  }
  if (group.searchers.size() > looks) {
    text += " After " + std::to_string(looks) + " series colours, dashes and marks begin again.";
  }
  return text;
}

}  // namespace cubicbench::results
