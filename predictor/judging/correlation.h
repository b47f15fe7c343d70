#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace cubicbench::predictor {

/// Rank correlation of two lists of equal length, in [-1, 1]; 0 where one of them has no two
/// different values (SciPy has NaN there) or there are fewer than two entries. No entry may be NaN.

/// Kendall's tau-b, in O(n log n) [Knight66].
double kendall_tau_b(std::span<const double> a, std::span<const double> b);
/// Spearman's rho: Pearson's r of the average ranks.
double spearman_rho(std::span<const double> a, std::span<const double> b);
double pearson_r(std::span<const double> a, std::span<const double> b);

/// Ranks from 1; equal values share the mean of theirs.
std::vector<double> average_ranks(std::span<const double> values);

}  // namespace cubicbench::predictor
