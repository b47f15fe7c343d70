#include "results/regret/regret_figure.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "results/document/number_text.h"
#include "results/document/series_look.h"
#include "sim/base/check.h"

namespace cubicbench::results {
namespace {

constexpr const char* random_color = "#000000";
constexpr const char* random_band_color = "#808080";  // seen on white and on black

class Drawing {
 public:
  Drawing(const StudyGroup& group, const GroupRegret& regret) : group_(group), regret_(regret) {
    find_range();
  }

  Figure figure(const std::string& name) const {
    Figure figure;
    figure.name = name;
    figure.title = group_.scenario + ": regret of the recommendation";
    figure.x.label = "number of jobs launched (failed ones count)";
    figure.x.max = std::max<double>(1.0, static_cast<double>(longest_));
    figure.y.label = "regret, without noise (0: optimum, 1: median)";
    figure.y.scale = AxisScale::log10;
    figure.y.min = floor_;
    figure.y.max = high_;
    add_band(regret_.random.p05, regret_.random.p95, random_band_color, figure);
    add_band(regret_.random.p25, regret_.random.p75, random_band_color, figure);
    for (std::size_t i = 0; i < regret_.series.size(); ++i) {
      add_band(regret_.series[i].low, regret_.series[i].high, look_of(i).color, figure);
    }
    for (std::size_t i = 0; i < regret_.series.size(); ++i) add_line(i, figure);
    add_random(figure);
    return figure;
  }

 private:
  void see(const std::vector<double>& regrets) {
    longest_ = std::max(longest_, regrets.size());
    for (const double regret : regrets) {
      if (regret > 0.0) low_ = std::min(low_, regret);
      high_ = std::max(high_, regret);
    }
  }

  /// From a decade to where the lines begin. The bands may reach below what is shown.
  void find_range() {
    for (const SeriesRegret& series : regret_.series) see(series.mean);
    see(regret_.random.mean);
    constexpr double shown_min = 1e-4;
    low_ = std::max(std::min(low_, 0.1), shown_min);
    while (floor_ > low_) floor_ /= 10.0;
    constexpr double margin = 1.1;
    high_ = std::max(high_, 1.0) * margin;
  }

  double shown(double regret) const { return std::clamp(regret, floor_, high_); }

  std::vector<FigurePoint> points_of(const std::vector<double>& regrets) const {
    std::vector<FigurePoint> points;
    for (std::size_t k = 0; k < regrets.size(); ++k) {
      points.push_back({static_cast<double>(k + 1), shown(regrets[k])});
    }
    return points;
  }

  void add_band(const std::vector<double>& low, const std::vector<double>& high,
                const std::string& color, Figure& figure) const {
    Series band{.title = {}, .style = SeriesStyle::band, .color = color, .points = {}};
    for (std::size_t k = 0; k < low.size(); ++k) {
      band.points.push_back({static_cast<double>(k + 1), shown(low[k]), shown(high[k])});
    }
    figure.series.push_back(std::move(band));
  }

  void add_line(std::size_t i, Figure& figure) const {
    figure.series.push_back({.title = regret_.series[i].series,
                             .style = SeriesStyle::line,
                             .color = look_of(i).color,
                             .dash = look_of(i).dash,
                             .width = 2.5,
                             .points = points_of(regret_.series[i].mean)});
  }

  void add_random(Figure& figure) const {
    figure.series.push_back({.title = regret_.replacement == Replacement::with
                                          ? "any random search with replacement: exact mean"
                                          : "any random search: exact mean",
                             .style = SeriesStyle::line,
                             .color = random_color,
                             .dash = 3,
                             .width = 2.5,
                             .points = points_of(regret_.random.mean)});
  }

  const StudyGroup& group_;
  const GroupRegret& regret_;
  std::size_t longest_ = 0;
  double low_ = std::numeric_limits<double>::infinity();
  double high_ = 0.0;
  double floor_ = 1.0;
};

}  // namespace

Figure regret_figure(const StudyGroup& group, const GroupRegret& regret, const std::string& name) {
  SIM_ASSERT(regret.scale.has_value(), group.scenario);
  return Drawing(group, regret).figure(name);
}

std::string regret_caption(const GroupRegret& regret, const CurveOptions& options) {
  const bool seeds = std::ranges::any_of(
      regret.series, [](const SeriesRegret& series) { return series.ends.size() > 1; });
  std::string text =
      "How far from the optimum the recommendation is, the configuration with the best measured "
      "value so far, valued without noise: (optimum \xE2\x88\x92 value) / (optimum \xE2\x88\x92 "
      "median of what runs). On the logarithmic axis a line on the lower edge has found the "
      "optimum or is nearer to it than is shown.";
  if (seeds) {
    text += " A line is the mean over the seeds, in a band of ";
    text += options.bootstrap > 0 ? "its 95 % bootstrap interval (" +
                                        grouped(static_cast<std::uint64_t>(options.bootstrap)) +
                                        " resamples of the seeds)."
                                  : "their quartiles.";
  }
  text += " The dotted line is the exact expectation of random search ";
  text += regret.replacement == Replacement::with ? "with replacement" : "without replacement";
  text +=
      ", computed from the true values of all configurations of the space (so that neither noise "
      "nor the infrastructure stands in its way), in grey bands that hold 50 and 90 % of such "
      "searches. Failed jobs count as launches, and before the first success a recommendation "
      "counts as throughput 0 (where less is better as the worst of the space).";
  return text;
}

}  // namespace cubicbench::results
