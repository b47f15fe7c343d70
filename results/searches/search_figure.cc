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

/// Places on the x axis; without a success, which may be hidden, launches.
std::size_t places(const SearcherCurves& curves, bool success, bool hide_failures) {
  if (success) return places_of(curves, hide_failures);
  std::size_t launches = 0;
  for (const StudyResult* const study : curves.studies) {
    launches = std::max(launches, study->launches.size());
  }
  return launches;
}

bool any_success(const SearchedProblem& problem) {
  return std::ranges::any_of(problem.series, [](const SearchedSeries& series) {
    return !series.end.all(&StudyEnd::observed).empty();
  });
}

/// A name that fits into the legend with what follows it.
std::string legend_name(const std::string& series) {
  constexpr std::size_t name_max = 80;
  if (series.size() <= name_max) return series;
  return series.substr(0, 57) + "..." + series.substr(series.size() - 20);
}

class SearchFigure {
 public:
  explicit SearchFigure(const SearchedProblem& problem)
      : problem_(problem), success_(any_success(problem)) {
    for (const SearchedSeries& series : problem.series) all_.push_back(&series.curves);
    find_range();
  }

  Figure figure(const std::string& name) {
    Figure figure;
    figure.name = name;
    figure.title = problem_.study->scenario + ": best of the jobs launched so far";
    figure.x.label = hides_failures() ? "number of jobs that finished (failed ones are not counted)"
                                      : "number of jobs launched (failed ones count)";
    figure.x.max = std::max(1.0, static_cast<double>(launches_));
    add_axis(figure);
    if (!success_) figure.message = "no launch succeeded";
    if (success_) add_curves(figure);
    if (!hides_failures()) add_failure_strip(problem_, figure);
    if (const auto baseline = problem_.baseline.value) {
      figure.levels.push_back({*baseline / scale_, "baseline " + scaled(*baseline)});
    }
    return figure;
  }

 private:
  bool hides_failures() const { return problem_.options.hide_failures; }

  void add_curves(Figure& figure) const {
    for (const auto add : {&SearchFigure::add_bands, &SearchFigure::add_dots,
                           &SearchFigure::add_lines, &SearchFigure::add_keys}) {
      for (std::size_t i = 0; i < all_.size(); ++i) (this->*add)(*all_[i], i, figure);
    }
    if (!problem_.shows_exact_random()) return;
    Series exact = exact_line(0);
    exact.title = "any random search: exact mean, without noise";
    exact.points = points_of(problem_.random_best.mean, scale_);
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
    for (const SearcherCurves* const curves : all_) {
      launches_ = std::max(launches_, places(*curves, success_, hides_failures()));
      if (success_) see(*curves);
    }
    if (problem_.baseline.value) see(*problem_.baseline.value);
    // Where less is better, failures may be far above all that was measured.
    if (problem_.shows_exact_random() && problem_.maximize()) see(problem_.random_best.mean);
    if (low_ > high_) {  // nothing to show
      low_ = 0.0;
      high_ = 1.0;
    }
    scale_ = high_ >= 1e6 ? 1e6 : high_ >= 1e4 ? 1e3 : 1.0;
  }

  void see(const SearcherCurves& curves) {
    see(without_failures(values_of(*curves.studies.front())));
    see(without_failures(curves.frontier));
    see(curves.permutation_mean);
    see(curves.low);
    see(curves.high);
  }
  void see(const Values& values) {
    for (const std::optional<double>& value : values) see(*value);
  }

  /// From zero, unless everything would be squeezed into the upper half; then the label says so.
  void add_axis(Figure& figure) const {
    const double high = high_ / scale_;
    const double low = low_ / scale_;
    figure.y.label = measure_of(*problem_.study);
    if (scale_ > 1.0) figure.y.label += scale_ > 1e3 ? ", millions" : ", thousands";
    const bool cut = low > 0.5 * high;
    const double range = cut ? std::max(high - low, 0.01 * high) : std::max(high, 1e-9);
    const double step = tick_step(range * 1.05);
    figure.y.min = cut ? std::floor((low - 0.05 * range) / step) * step
                       : std::min(0.0, std::floor(low / step) * step);
    figure.y.max = figure.y.min + std::ceil((high + 0.03 * range - figure.y.min) / step) * step;
    if (cut) figure.y.label += " (axis starts at " + support::shortest(figure.y.min) + ")";
  }

  std::string color(std::size_t i) const { return series_color(*all_[i], i); }

  std::vector<std::int64_t> rounds(const SearcherCurves& curves) const {
    return rounds_of(curves, hides_failures());
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
    if (curves.random) {
      line.style = SeriesStyle::line;
      line.points = points_of(
          problem_.averages_orders() ? curves.permutation_mean : curves.exact_mean, scale_);
      if (!problem_.shows_exact_random()) {
        figure.series.push_back(line);
        line = exact_line(i);
        line.points = points_of(curves.exact_mean, scale_);
      }
    }
    add(line, curves, figure);
  }

  Series exact_line(std::size_t i) const {
    return {.title = {},
            .style = SeriesStyle::line,
            .color = i == 0 ? "#000000" : color(i),
            .dash = 3,
            .width = 2.0,
            .points = {}};
  }

  /// The legend: a line with its dots per series, and random search's second line.
  void add_keys(const SearcherCurves& curves, std::size_t i, Figure& figure) const {
    const std::string name = legend_name(curves.series);
    const std::int64_t orders = problem_.options.permutations.value_or(usual_permutations);
    const std::string averaged = problem_.averages_orders()
                                     ? ": mean of " + std::to_string(orders) + " orders"
                                     : ": exact mean of its jobs";
    const Series key{.title = name + (curves.random        ? averaged
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
    if (!curves.random || problem_.shows_exact_random()) return;
    Series exact = exact_line(i);
    exact.title = name + ": exact mean";
    figure.series.push_back(exact);
  }

  void add_dots(const SearcherCurves& curves, std::size_t i, Figure& figure) const {
    Series dots{.title = {},
                .style = SeriesStyle::dots,
                .color = color(i),
                .width = 1.0,
                .mark = look_of(i).mark,
                .size = 0.45,
                .points = {}};
    for (const CurveJob& job : jobs_of(*curves.studies.front(), hides_failures())) {
      if (job.of->value) {
        dots.points.push_back({static_cast<double>(*job.plotted_at), *job.of->value / scale_});
      }
    }
    add(dots, curves, figure);
  }

  const SearchedProblem& problem_;
  std::vector<const SearcherCurves*> all_;
  bool success_;
  double low_ = std::numeric_limits<double>::infinity();
  double high_ = 0.0;
  double scale_ = 1.0;
  std::size_t launches_ = 0;
};

}  // namespace

Figure search_figure(const SearchedProblem& problem, const std::string& name) {
  return SearchFigure(problem).figure(name);
}

}  // namespace cubicbench::results
