#pragma once

#include <span>

#include "support/statistics/rank_test.h"

namespace cubicbench::support {

/// What to do with differences of exactly 0, which favour neither side.
enum class Zeros {
  /// Rank them with the others, then leave their ranks out [Pratt59]. Dropping them first can make
  /// a sample more significantly positive by moving its zeros below 0.
  ranked,
  /// Drop them before ranking, as SciPy and R do unless told otherwise.
  dropped
};

/// Wilcoxon's signed-rank test of paired differences [Wilcoxon45]. The null hypothesis: each
/// difference has a distribution that is symmetric about 0. With R_i the mid-rank of |d_i|,
///
///   W+ = sum of R_i over d_i > 0      the statistic; p_greater is small where differences are > 0
///
/// Under the null hypothesis, given all |d_i|, every sign of a difference that is not 0 is + or -
/// with probability 1/2. Up to exact_ranks_max such differences that distribution is counted
/// exactly, ties included; beyond, W+ is taken as normal with mean sum R_i / 2 and variance
/// sum R_i^2 / 4, where ties and zeros are already accounted for. No difference may be NaN.
RankTest wilcoxon_signed_rank(std::span<const double> differences, Zeros zeros = Zeros::ranked);

}  // namespace cubicbench::support
