#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "scenarios/problem/scenario.h"

namespace cubicbench::results {

/// One value a launch; nothing where the launch failed.
using Values = std::vector<std::optional<double>>;

/// Is `a` strictly better than `b`?
bool better(double a, double b, scenarios::Direction direction);

/// The best value so far after each launch ("frontier"); nothing before the first success.
Values running_best(std::span<const std::optional<double>> values, scenarios::Direction direction);

/// The values of launches that succeeded, in order.
Values without_failures(std::span<const std::optional<double>> values);

/// What a launch without a value counts as in averages: throughput 0 where more is better. Where
/// less is better nothing finite is bad enough, and the worst value measured stands in for it (0
/// when there is none).
double failure_value(std::span<const std::optional<double>> values, scenarios::Direction direction);

/// `values` with failures in numbers, see failure_value().
std::vector<double> filled(std::span<const std::optional<double>> values,
                           scenarios::Direction direction);

/// Several studies together, a point a launch.
struct SeedBand {
  std::vector<double> low;     ///< lower quartile
  std::vector<double> median;  ///< of the running bests
  std::vector<double> high;    ///< upper quartile
};

/// The running bests of `studies` side by side: entry k holds those after k + 1 launches of the
/// studies that have as many, as far as at least half of them do. A study before its first success
/// counts with the failure value of all values together.
std::vector<std::vector<double>> aligned_bests(std::span<const Values> studies,
                                               scenarios::Direction direction);

/// Quartiles of aligned_bests().
SeedBand seed_band(std::span<const Values> studies, scenarios::Direction direction);

}  // namespace cubicbench::results
