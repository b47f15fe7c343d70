#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace cubicbench::support {

/// The sign-flip test [Fisher35] of differences that are independent and symmetric
/// about their centre, of any shape: under the null hypothesis that the centre is c, each d_i - c
/// is as likely as its negative. Its interval holds the centres that it does not reject, whose ends
/// are means of subsets of the differences ("typical values", [Hartigan69]): flipping the signs of
/// a subset leaves a sum at least as large exactly when the subset's mean is at most c.
///
/// Differences of two independent runs of one thing are symmetric about 0 whatever its
/// distribution, so that no assumption is left where false alarms are concerned.
struct SignFlipTest {
  double mean = 0.0;
  double p_less = 1.0;       ///< small where the centre is below 0
  double p_greater = 1.0;    ///< small where it is above
  double p_two_sided = 1.0;  ///< twice the smaller of the two, at most 1
  /// Bounds that are wrong with a probability of at most `outside` each; nothing where there are
  /// too few differences: fewer than log2(1 / outside).
  std::optional<double> low{};
  std::optional<double> high{};
};

/// Up to this many differences every choice of signs is counted; beyond, `sign_flip_draws` are
/// drawn with a fixed key and counted beside the one that was observed, which keeps the level
/// exact.
inline constexpr std::size_t exact_flips_max = 13;
inline constexpr std::size_t sign_flip_draws = 9'999;

/// Requires a difference, no NaN, and outside in (0, 0.5).
SignFlipTest sign_flip_test(std::span<const double> differences, double outside);

/// The fewest differences of which a bound is known.
std::size_t sign_flips_needed(double outside);

}  // namespace cubicbench::support
