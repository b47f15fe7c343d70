#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "scenarios/problem/scenario.h"

namespace cubicbench::search {

/// One value per launch; nothing where the launch failed.
using Values = std::vector<std::optional<double>>;

/// The best value so far after each launch ("frontier"); nothing before the first success.
Values running_best(std::span<const std::optional<double>> values, scenarios::Direction direction);

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

/// How well random search does with k jobs, k = 1 .. length, had it drawn them without replacement
/// from the jobs that it ran. `values` holds one number a job, failures included as the number that
/// they count as (filled()); length is at most their number.

/// The exact expectation of the best of k of n. With y_1 <= ... <= y_n (greater is better)
///
///   E(k) = sum over i of y_i C(i-1, k-1) / C(n, k)
///
/// The weights come from the largest down by a ratio of small integers, w_n = k / n and
/// w_(i-1) = w_i (i-k) / (i-1), so that nothing overflows or cancels. Takes n x length steps.
std::vector<double> expected_best(std::span<const double> values, std::size_t length,
                                  scenarios::Direction direction);

/// The exact quantile of the same: the smallest y_i with C(i, k) / C(n, k) >= share, which is the
/// probability that none of the k is above y_i. Where less is better the order is turned round, so
/// that share 0.9 is a good result in both cases. Requires a share in (0, 1).
std::vector<double> best_quantile(std::span<const double> values, std::size_t length, double share,
                                  scenarios::Direction direction);

/// The running best averaged over random orders of the jobs, as CubicML's Fig. 2(a) does with 100.
/// The orders are drawn from a fixed key: the same for everybody, and order p does not depend on
/// how many there are. Requires permutations >= 1.
std::vector<double> mean_running_best(std::span<const double> values, std::size_t length,
                                      std::int64_t permutations, scenarios::Direction direction);

}  // namespace cubicbench::search
