#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace cubicbench::support {

/// The result of a rank test: the probabilities, under the null hypothesis, of a statistic as small
/// as the observed one, as large, or as far out on either side.
struct RankTest {
  double statistic = 0.0;
  double p_less = 1.0;
  double p_greater = 1.0;
  double p_two_sided = 1.0;  ///< twice the smaller of the two, at most 1
  bool exact = true;         ///< else by the normal approximation
};

/// Tests of up to this many ranks are exact, with or without ties. Their cases are fewer than 2^53,
/// so doubles count them without rounding.
inline constexpr std::size_t exact_ranks_max = 50;

/// The test by an exact null distribution: counts[s] equally likely cases have the doubled rank sum
/// s, and the sample has the sum `at`.
RankTest exact_rank_test(double statistic, std::span<const double> counts, std::int64_t at);

/// The test by a normal null distribution, with a continuity correction of 1/2 towards the mean.
/// All p are 1 where the variance is 0.
RankTest normal_rank_test(double statistic, double mean, double variance);

}  // namespace cubicbench::support
