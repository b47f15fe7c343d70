#include "results/validation/agreement.h"

#include <cmath>
#include <cstdint>
#include <set>
#include <utility>

#include "sim/base/numeric.h"

namespace cubicbench::results {
namespace {

constexpr double cells = 70.0;  ///< a side: a mark each

Series band_of(const Axis& axis) {
  constexpr double low = 1.0 - agreement_band;
  constexpr double high = 1.0 + agreement_band;
  return {.title = "10 % to either side",
          .style = SeriesStyle::band,
          .color = "#606060",
          .points = {{axis.min, axis.min * low, axis.min * high},
                     {axis.max, axis.max * low, axis.max * high}}};
}

Series diagonal_of(const Axis& axis) {
  return {.title = "simulated = measured",
          .style = SeriesStyle::line,
          .color = "#606060",
          .dash = 2,
          .width = 1.2,
          .points = {{axis.min, axis.min}, {axis.max, axis.max}}};
}

/// The first of the points in each cell of a mark's size.
std::vector<FigurePoint> thinned(const std::vector<FigurePoint>& points, const Axis& axis) {
  const double step = sim::log(axis.max / axis.min) / cells;
  const auto cell_of = [&](double value) {
    return static_cast<std::int64_t>(std::floor(sim::log(value / axis.min) / step));
  };
  std::set<std::pair<std::int64_t, std::int64_t>> taken;
  std::vector<FigurePoint> kept;
  for (const FigurePoint& point : points) {
    if (taken.emplace(cell_of(point.x), cell_of(point.y)).second) kept.push_back(point);
  }
  return kept;
}

}  // namespace

Figure agreement_figure(const std::string& name, const std::string& quantity,
                        std::vector<Series> marks) {
  std::vector<double> values;
  for (const Series& of : marks) {
    for (const FigurePoint& point : of.points) values.insert(values.end(), {point.x, point.y});
  }
  Figure figure;
  figure.name = name;
  figure.x = log_axis("measured " + quantity, values, AxisScale::log10);
  figure.y = figure.x;
  figure.y.label = "simulated " + quantity;
  figure.series = {band_of(figure.x), diagonal_of(figure.x)};
  for (Series& of : marks) {
    if (of.points.empty()) continue;
    of.style = SeriesStyle::dots;
    of.points = thinned(of.points, figure.x);
    figure.series.push_back(std::move(of));
  }
  return figure;
}

}  // namespace cubicbench::results
