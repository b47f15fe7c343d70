#pragma once

#include <span>

#include "support/statistics/rank_test.h"

namespace cubicbench::support {

/// U = the number of pairs with a > b, plus half of those with a = b, from the mid-ranks of both
/// samples together, in O(n log n): U = sum of the ranks of `a` - m (m + 1) / 2, m = a.size().
/// No value may be NaN.
double mann_whitney_u(std::span<const double> a, std::span<const double> b);

/// Vargha and Delaney's measure of stochastic superiority [VarghaDelaney00]:
///
///   A12 = P(a > b) + P(a = b) / 2 = U / (m n)
///
/// over all pairs of a value of `a` and one of `b`. 0.5 means that neither tends to be larger.
/// Requires a value on each side.
double a12(std::span<const double> a, std::span<const double> b);

/// The Mann-Whitney test of two independent samples [MannWhitney47], also known as Wilcoxon's
/// rank-sum test. The null hypothesis: both have one distribution. The statistic is U of `a`;
/// p_greater is small where values of `a` tend to be larger.
///
/// Under the null hypothesis, given all N = m + n values, every choice of m of them as `a` is as
/// likely. Up to exact_ranks_max values that distribution is counted exactly, ties included;
/// beyond, U is taken as normal with
///
///   mean m n / 2,   variance m n / 12 (N + 1 - sum (t^3 - t) / (N (N - 1)))
///
/// where t values each are tied. Requires a value on each side.
RankTest mann_whitney(std::span<const double> a, std::span<const double> b);

}  // namespace cubicbench::support
