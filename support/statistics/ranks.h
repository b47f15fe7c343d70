#pragma once

#include <span>
#include <vector>

namespace cubicbench::support {

/// Ranks in ascending order, from 1; equal values share the mean of their ranks ("mid-ranks").
/// No value may be NaN.
std::vector<double> average_ranks(std::span<const double> values);

}  // namespace cubicbench::support
