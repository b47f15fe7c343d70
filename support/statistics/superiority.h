#pragma once

#include <span>

#include "support/statistics/interval.h"

namespace cubicbench::support {

/// How often values of one sample are greater than those of another, with an interval.
struct Superiority {
  double a12 = 0.5;       ///< P(a > b) + P(a = b) / 2, see a12()
  double variance = 0.0;  ///< of that estimate
  Interval interval{.low = 0.0, .high = 1.0};
};

/// a12() with DeLong's variance from placements [DeLong88]: with v_i the share of `b` below a_i and
/// w_j the share of `a` above b_j, ties counted half,
///
///   variance = var(v) / m + var(w) / n                 (sample variances)
///
/// The interval is normal on the scale of log(A / (1 - A)), so that it stays within [0, 1]. Where
/// the variance is 0 or the samples are apart, it is the exact one of min(m, n) disjoint pairs, all
/// of which fell on one side. Without two values on a side there is no interval but [0, 1].
/// Requires a value on each side and a level in (0, 1).
Superiority superiority(std::span<const double> a, std::span<const double> b, double level);

/// Cliff's delta [Cliff93]: P(a > b) - P(a < b) = 2 A12 - 1.
double cliffs_delta(std::span<const double> a, std::span<const double> b);

}  // namespace cubicbench::support
