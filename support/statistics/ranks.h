#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace cubicbench::support {

/// Ranks in ascending order, from 1; equal values share the mean of their ranks ("mid-ranks").
/// No value may be NaN.
std::vector<double> average_ranks(std::span<const double> values);

/// Twice average_ranks(): integers, so that sums of ranks can be counted exactly.
std::vector<std::int64_t> doubled_ranks(std::span<const double> values);

/// sum (t^3 - t) over the sets of t equal values, which corrects the variance of rank statistics
/// for ties [Kendall45]; 0 without ties.
double tie_term(std::span<const double> values);

}  // namespace cubicbench::support
