#pragma once

#include <span>

namespace cubicbench::support {

/// Correlation of two lists of equal length, in [-1, 1]; 0 where one of them has no two different
/// values (SciPy returns NaN) or there are fewer than two entries. No entry may be NaN.

/// Kendall's tau-b, in O(n log n) by the method of [Knight66]:
///
///   tau_b = (C - D) / sqrt((P - T_a) (P - T_b))                                       [Kendall45]
///
/// C, D  concordant and discordant pairs;  P  all pairs;  T_a, T_b  pairs tied in a, in b
double kendall_tau_b(std::span<const double> a, std::span<const double> b);

/// Spearman's rho: Pearson's r of the average ranks.
double spearman_rho(std::span<const double> a, std::span<const double> b);

/// Pearson's r: sum (a - mean a) (b - mean b) / sqrt(sum (a - mean a)^2 sum (b - mean b)^2).
double pearson_r(std::span<const double> a, std::span<const double> b);

}  // namespace cubicbench::support
