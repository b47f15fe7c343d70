#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace cubicbench::support {

/// E-values: non-negative numbers whose expectation is at most 1 under the null hypothesis, so that
/// one of 1 / alpha or more is evidence at level alpha [VovkWang21]. Where they are the values of a
/// bet that goes on, that holds after any number of looks (Ville's inequality; [Ramdas23]).

/// The logarithm of the e-value, against a centre of at most `centre`, of independent differences
/// that are symmetric about theirs, in the order in which they came:
///
///   E = mean over l of  prod_i  2 / (1 + exp(-2 l (d_i - centre)))
///
/// Each factor is exp(l x) / cosh(l x), the mean of which over the two signs of x is 1: a bet on
/// the sign of x that stakes more the larger |x| is [delaPena99]. Nothing need be known of the
/// scale: the l are 0.5, 1, 2 ... 512, for differences between 0.001 and 1. E falls as `centre`
/// rises.
double log_sign_bet(std::span<const double> differences, double centre);

/// Bounds of the centre of such differences that hold at all times at once, each with a probability
/// of at least 1 - outside: the centres against which the bets have not won 1 / outside, above and
/// below. Nothing where there are too few differences.
struct AnytimeBounds {
  std::optional<double> low{};
  std::optional<double> high{};
};

/// Requires outside in (0, 1) and finite differences.
AnytimeBounds anytime_bounds(std::span<const double> differences, double outside);

/// The fewest differences of which a bound may be known.
std::size_t anytime_needed(double outside);

/// The e-value that a p-value is worth, whatever the test [VovkWang21]:
///
///   e = (1 - p + p log p) / (p (log p)^2)
///
/// Requires p in (0, 1]; 0.5 for p = 1, its limit.
double e_of_p(double p);

/// The p-value that an e-value is worth: min(1, 1 / e). Requires e >= 0.
double p_of_e(double e);

}  // namespace cubicbench::support
