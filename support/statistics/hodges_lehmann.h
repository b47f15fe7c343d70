#pragma once

#include <optional>
#include <span>

#include "support/statistics/interval.h"

namespace cubicbench::support {

/// An estimate and its confidence interval; no interval where there are too few values for the
/// level even if all averages or differences are within it (below six pairs for 0.95).
struct ShiftEstimate {
  double shift = 0.0;
  std::optional<Interval> interval{};
};

/// The centre of symmetry of paired differences [HodgesLehmann63]: the median of the n (n + 1) / 2
/// averages (d_i + d_j) / 2, i <= j. The interval holds the centres that wilcoxon_signed_rank()
/// does not reject at 1 - level: from the (k + 1)-th smallest average to the (k + 1)-th largest,
/// with the largest k for which, without ties, P(W+ <= k) <= (1 - level) / 2. With ties it is wider
/// than needed. Requires a value and a level in (0, 1). Takes O(n^2) memory.
ShiftEstimate centre_of_differences(std::span<const double> differences, double level);

/// By how much values of `a` are larger than those of `b` [HodgesLehmann63]: the median of the m n
/// differences a_i - b_j, with the interval of mann_whitney() likewise. Requires a value on each
/// side and a level in (0, 1). Takes O(m n) memory.
ShiftEstimate shift_between(std::span<const double> a, std::span<const double> b, double level);

}  // namespace cubicbench::support
