#pragma once

#include <optional>
#include <span>
#include <vector>

namespace cubicbench::support {

/// The q-quantile of `values`: linear interpolation at position q (n - 1) of the sorted values,
/// counted from 0, which is numpy's default and type 7 of [HyndmanFan96]:
///
///   Q(q) = x[k] + (q (n - 1) - k) (x[k + 1] - x[k]),   k = floor(q (n - 1))
///
/// An infinite neighbour at distance 0 has no influence, and a zero is always a positive one.
/// Requires at least one value, no NaN, and q in [0, 1].
double quantile(std::vector<double> values, double q);
/// The same of values that are sorted already, in O(1).
double quantile_of_sorted(std::span<const double> sorted, double q);
/// The same, or nothing where there are no values.
std::optional<double> quantile_if_any(std::vector<double> values, double q);

/// The 0.5-quantile: the middle value, or halfway between the two in the middle.
double median(std::vector<double> values);
std::optional<double> median_if_any(std::vector<double> values);

/// The middle value, or the larger of the two in the middle: always one of the values, in O(n).
/// Requires at least one.
double median_high(std::vector<double> values);

}  // namespace cubicbench::support
