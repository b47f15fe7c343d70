#pragma once

#include <optional>
#include <span>
#include <vector>

#include "scenarios/problem/scenario.h"

namespace cubicbench::results {

/// One value per launch; nothing where the launch failed.
using Values = std::vector<std::optional<double>>;

/// The best value so far after each launch ("frontier"); nothing before the first success.
Values running_best(std::span<const std::optional<double>> values, scenarios::Direction direction);

/// The values of launches that succeeded, in order.
Values without_failures(std::span<const std::optional<double>> values);

/// `values` with numbers for failures, for averages: throughput 0 where more is better. Where less
/// is better nothing finite is bad enough, and the worst value measured stands in for it (0 when
/// there is none).
std::vector<double> filled(std::span<const std::optional<double>> values,
                           scenarios::Direction direction);

/// The running bests of `studies` side by side: entry k holds those after k + 1 launches of the
/// studies that have as many, as far as at least half of them do. A study before its first success
/// counts as a failure does in filled() of all values together.
std::vector<std::vector<double>> aligned_bests(std::span<const Values> studies,
                                               scenarios::Direction direction);

/// The `share`-quantile of `values`, interpolated linearly between order statistics (Hyndman and
/// Fan's type 7). Requires a value and a share in [0, 1].
double quantile(std::vector<double> values, double share);

}  // namespace cubicbench::results
