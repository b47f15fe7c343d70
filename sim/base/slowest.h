#pragma once

#include <cstdint>

namespace cubicbench::sim {

/// The slowest of n independent delays, each exponential with mean `mean`. With n workers that wait
/// for each other this is what a step, or a job, loses [docs/models.md, Eq. J-1 to J-3]:
///
///   F(x) = (1 - exp(-x / mean))^n
///
/// Requires n >= 1 and mean >= 0; a mean of 0 gives 0 everywhere.

/// The delay that is not exceeded with probability `p`: -mean ln(1 - p^(1/n)). Digits are not
/// lost where n is large or p is near 1; of a tiny p they are, as in p itself, |ln p| / n ulp.
/// Requires 0 <= p < 1; 0 gives 0.
double slowest_quantile(double mean, std::int64_t n, double p);

/// Its expectation, mean H_n. Takes time proportional to n.
double slowest_mean(double mean, std::int64_t n);

/// The expectation of the latest of `n` independent normal delays, in their standard deviations
/// from their mean: the largest of n standard normal numbers. Exact to three digits where n is a
/// power of two up to 1,024; linear in log2 n between those (at most 2 % off), and beyond the last
/// as between the last two. Requires n >= 1; one delay gives 0.
double latest_of(std::int64_t n);

}  // namespace cubicbench::sim
