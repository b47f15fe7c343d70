#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "results/document/figure.h"

namespace cubicbench::results {

/// Parts of a figure that sets simulated against measured values on equal logarithmic axes.

/// How far to either side of equal values the band reaches, as a share.
inline constexpr double agreement_band = 0.1;

/// The area within the band, and the line on which both values are equal.
std::vector<Series> agreement_lines(const Axis& axis);

/// Points that are a mark's width apart, each once, in the order in which they are added.
class Thinned {
 public:
  explicit Thinned(const Axis& axis);
  /// Appends the point unless a mark there covers it already.
  void add(double x, double y, std::vector<FigurePoint>& points);

 private:
  std::int64_t cell_of(double value) const;

  double origin_;
  double step_;
  std::set<std::pair<std::int64_t, std::int64_t>> taken_;
};

}  // namespace cubicbench::results
