#include "results/searches/search_figure.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <vector>

#include "results/document/number_text.h"
#include "results/document/series_look.h"
#include "results/searches/failure_strip.h"
#include "results/searches/search_rounds.h"
#include "support/json/canonical.h"

namespace cubicbench::results {
namespace {

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

/// A name that fits into the legend with what follows it.
std::string legend_name(const std::string& series) {
  constexpr std::size_t name_max = 80;
  if (series.size() <= name_max) return series;
  return series.substr(0, 57) + "..." + series.substr(series.size() - 20);
}

class Drawing {
 public:
  Drawing(const StudyGroup& group, const StudyProblem& problem, const CurveOptions& options,
          const ExactRandom* exact)
      : group_(group),
        problem_(problem),
        options_(options),
        exact_(shows_exact_space(options, exact) ? exact : nullptr) {
    find_range();
  }

  Figure figure(const std::string& name) {
    Figure figure;
    figure.name = name;
    figure.title = group_.scenario + ": best of the jobs launched so far";
    figure.x.label = options_.hide_failures
                         ? "number of jobs that finished (failed ones are not counted)"
                         : "number of jobs launched (failed ones count)";
    figure.x.max = std::max(1.0, static_cast<double>(launches_));
    add_axis(figure);
    if (!success_) figure.message = "no launch succeeded";
    if (success_) add_curves(figure);
    if (!options_.hide_failures) add_failure_strip(group_, figure);
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
      add(dots_of(group_.searchers[i], i), group_.searchers[i], figure);
    }
    for (std::size_t i = 0; i < group_.searchers.size(); ++i) {
      add_lines(group_.searchers[i], i, figure);
    }
    for (std::size_t i = 0; i < group_.searchers.size(); ++i) {
      add_keys(group_.searchers[i], i, figure);
    }
    if (exact_ == nullptr) return;
    Series exact = exact_line(0);
    exact.title = "any random search: exact mean, without noise";
    exact.points = points_of(exact_->mean, scale_);
    figure.series.push_back(exact);
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
    // Where less is better, failures may be far above all that was measured.
    if (exact_ != nullptr && problem_.objective.direction == scenarios::Direction::maximize) {
      see(exact_->mean);
    }
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
    figure.y.label = problem_.label;
    if (scale_ > 1.0) figure.y.label += scale_ > 1e3 ? ", millions" : ", thousands";
    const bool cut = low > 0.5 * high;
    const double range = cut ? std::max(high - low, 0.01 * high) : std::max(high, 1e-9);
    const double step = tick_step(range * 1.05);
    figure.y.min = cut ? std::floor((low - 0.05 * range) / step) * step
                       : std::min(0.0, std::floor(low / step) * step);
    figure.y.max = figure.y.min + std::ceil((high + 0.03 * range - figure.y.min) / step) * step;
    if (cut) figure.y.label += " (axis starts at " + support::shortest(figure.y.min) + ")";
  }

  std::string color(std::size_t i) const { return series_color(group_.searchers[i], i); }

  std::vector<std::int64_t> rounds(const SearcherCurves& curves) const {
    return rounds_of(curves, problem_.objective.direction, options_.hide_failures);
  }

  void add(Series series, const SearcherCurves& curves, Figure& figure) const {
    if (!has_rounds(curves)) {
      figure.series.push_back(std::move(series));
      return;
    }
    std::ranges::move(colored_by_round(series, rounds(curves)), std::back_inserter(figure.series));
  }

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
                .dash = look_of(i).dash,
                .width = 2.5,
                .points = points_of(curves.frontier, scale_)};
    if (is_random(curves.searcher)) {
      line.style = SeriesStyle::line;
      line.points = points_of(orders() ? curves.permutation_mean : curves.exact_mean, scale_);
      if (exact_ == nullptr) {
        figure.series.push_back(line);
        line = exact_line(i);
        line.points = points_of(curves.exact_mean, scale_);
      }
    }
    add(line, curves, figure);
  }

  /// Is random search averaged over orders of its jobs?
  bool orders() const { return averages_orders(options_, exact_); }

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
    const std::int64_t permutations = options_.permutations.value_or(usual_permutations);
    const std::string averaged = orders() ? ": mean of " + std::to_string(permutations) + " orders"
                                          : ": exact mean of its jobs";
    const Series key{.title = name + (random               ? averaged
                                      : has_rounds(curves) ? ", by round"
                                                           : ""),
                     .style = SeriesStyle::marked_line,
                     .color = color(i),
                     .dash = look_of(i).dash,
                     .width = 2.0,
                     .mark = look_of(i).mark,
                     .size = 0.7,
                     .points = {}};
    figure.series.push_back(key);
    std::ranges::move(round_keys(key, rounds(curves)), std::back_inserter(figure.series));
    if (!random || exact_ != nullptr) return;
    Series exact = exact_line(i);
    exact.title = name + ": exact mean";
    figure.series.push_back(exact);
  }

  Series dots_of(const SearcherCurves& curves, std::size_t i) const {
    Series dots{.title = {},
                .style = SeriesStyle::dots,
                .color = color(i),
                .width = 1.0,
                .mark = look_of(i).mark,
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

  const StudyGroup& group_;
  const StudyProblem& problem_;
  const CurveOptions& options_;
  const ExactRandom* exact_ = nullptr;
  bool success_ = any_success(group_);
  double low_ = std::numeric_limits<double>::infinity();
  double high_ = 0.0;
  double scale_ = 1.0;
  std::size_t launches_ = 0;
};

}  // namespace

Figure search_figure(const StudyGroup& group, const StudyProblem& problem,
                     const CurveOptions& options, const std::string& name,
                     const ExactRandom* exact) {
  return Drawing(group, problem, options, exact).figure(name);
}

}  // namespace cubicbench::results
