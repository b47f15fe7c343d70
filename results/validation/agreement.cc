#include "results/validation/agreement.h"

#include <cmath>

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

}  // namespace

std::vector<Series> agreement_lines(const Axis& axis) { return {band_of(axis), diagonal_of(axis)}; }

Thinned::Thinned(const Axis& axis)
    : origin_(sim::log(axis.min)), step_(sim::log(axis.max / axis.min) / cells) {}

void Thinned::add(double x, double y, std::vector<FigurePoint>& points) {
  if (taken_.emplace(cell_of(x), cell_of(y)).second) points.push_back({x, y});
}

std::int64_t Thinned::cell_of(double value) const {
  return static_cast<std::int64_t>(std::floor((sim::log(value) - origin_) / step_));
}

}  // namespace cubicbench::results
