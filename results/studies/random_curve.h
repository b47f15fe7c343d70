#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scenarios/problem/scenario.h"

namespace cubicbench::results {

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

}  // namespace cubicbench::results
