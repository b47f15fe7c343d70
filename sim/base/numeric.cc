#include "sim/base/numeric.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "sim/base/numeric_tables.h"

namespace cubicbench::sim {
namespace {

using tables::Split;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double per_ln2 = tables::per_ln2_high + tables::per_ln2_low;

bool is_nan(double x) { return x != x; }

double magnitude(double x) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & ~(std::uint64_t{1} << 63));
}

bool is_negative(double x) { return std::bit_cast<std::uint64_t>(x) >> 63 != 0; }

/// The first 53 - `bits` bits of a significand. What is cut off has at most `bits` bits, so that
/// the product of two such parts is exact when their bits add up to 53 or less.
template <int bits>
double leading(double x) {
  constexpr std::uint64_t kept = ~((std::uint64_t{1} << bits) - 1);
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & kept);
}

/// Nearest integer for |x| < 2^51: adding 1.5 * 2^52 leaves no bit for a fraction.
double nearest(double x) {
  constexpr double shift = 0x1.8p52;
  return (x + shift) - shift;
}

/// 2^n for a normal result.
double normal_power_of_two(std::int64_t n) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(n + 1023) << 52);
}

/// value * 2^n for value in [1/2, 2] and |n| < 1200, rounded once.
double scaled(double value, std::int64_t n) {
  constexpr std::int64_t margin = 200;
  if (n < -1022) return value * normal_power_of_two(n + margin) * normal_power_of_two(-margin);
  if (n > 1023) return value * normal_power_of_two(n - margin) * normal_power_of_two(margin);
  return value * normal_power_of_two(n);
}

/// 2^(k / 64) * e^t for |t| < 0.006. The series stops where a term is below 2^-64.
double power_times_exp(double k, double t) {
  const auto whole = static_cast<std::int64_t>(k);
  const Split& root = tables::root_of_two[static_cast<std::size_t>(whole & 63)];
  const double tt = t * t;
  const double tail =
      (0.5 + t * (1.0 / 6)) + tt * ((1.0 / 24 + t * (1.0 / 120)) + tt * (1.0 / 720));
  const double growth = t + tt * tail;
  return scaled(root.high + (root.low + root.high * growth), whole >> 6);
}

/// 2^(high + low) for |high| < 1100 and |low| at most an ulp of high.
double exp2_of_sum(double high, double low) {
  const double k = nearest(high * 64);
  const double rest = (high - k * (1.0 / 64)) + low;  // the difference is exact
  return power_times_exp(k, rest * (tables::ln2_high + tables::ln2_low));
}

/// x = 2^exponent * (1 + rest + rest_low) / interval.inverse with |rest| < 0.006, exactly but for
/// 2^-79. For x in [127.5/128, 128.5/128) it is x = 1 + rest.
struct Reduced {
  double exponent;
  double rest;
  double rest_low;
  const tables::LogInterval& interval;
};

/// Requires x positive and finite.
Reduced reduced(double x) {
  constexpr std::uint64_t lowest = std::bit_cast<std::uint64_t>(90.5 / 128);  // about 1 / sqrt 2
  double exponent = 0.0;
  if (x < std::numeric_limits<double>::min()) {
    x *= 0x1p54;
    exponent = -54.0;
  }
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::int64_t octave = static_cast<std::int64_t>(bits - lowest) >> 52;
  const double z = std::bit_cast<double>(bits - (static_cast<std::uint64_t>(octave) << 52));
  const auto row = static_cast<std::size_t>(z * 128 + 0.5) - tables::log_interval_first;
  const tables::LogInterval& interval = tables::log_interval[row];
  // Both products are exact, 27 and 26 bits by 13, and so is the difference, a multiple of 2^-39.
  const double z_high = leading<26>(z);
  const double high = z_high * interval.inverse - 1.0;
  const double low = (z - z_high) * interval.inverse;
  const double rest = high + low;
  // Where |low| > |high| this misses up to 2^-79, far below an ulp of any logarithm in that row.
  return {exponent + static_cast<double>(octave), rest, low - (rest - high), interval};
}

/// (ln(1 + r) - r + r^2 / 2) / r^3. The series stops where its term is below 2^-69 of ln(1 + r).
double cubic_tail(double r) {
  const double rr = r * r;
  return (1.0 / 3 - r * (1.0 / 4)) +
         rr * ((1.0 / 5 - r * (1.0 / 6)) + rr * ((1.0 / 7 - r * (1.0 / 8)) + rr * (1.0 / 9)));
}

/// log2(x) with a relative error below 2^-64, for pow: y log2(x) reaches 1075, whose error becomes
/// a relative error of the power. Requires x positive and finite.
Split log2_pair(double x) {
  const Reduced parts = reduced(x);
  const double r = parts.rest;
  // ln(1 + r) = high + low, the square taken exactly in its leading part.
  const double r_leading = leading<27>(r);
  const double r_trailing = (r - r_leading) + parts.rest_low;
  const double square = -0.5 * (r_leading * r_leading);
  const double high = r + square;
  const double low = ((r - high) + square) +
                     (parts.rest_low - 0.5 * (r_trailing * (r + r_leading))) +
                     r * (r * r) * cubic_tail(r);
  // Times 1 / ln 2.
  const double high_leading = leading<27>(high);
  const double product = high_leading * tables::per_ln2_high;
  const double product_low =
      ((high - high_leading) + low) * tables::per_ln2_high + (high + low) * tables::per_ln2_low;
  // Plus the exact multiple of 2^-42.
  const double base = parts.exponent + parts.interval.log2_high;
  const double sum = base + product;
  const double sum_low = ((base - sum) + product) + (product_low + parts.interval.log2_low);
  const double result = sum + sum_low;
  return {result, sum_low - (result - sum)};
}

bool has_plain_logarithm(double x) { return x > 0.0 && x < infinity; }

/// Logarithm to any base above 1 where x is no positive finite number.
double special_logarithm(double x) {
  if (x == 0.0) return -infinity;
  return x == infinity ? infinity : not_a_number;
}

enum class Parity : std::uint8_t { fraction, even, odd };

/// Requires y finite. Doubles from 2^53 on are even integers.
Parity parity(double y) {
  const double size = magnitude(y);
  if (size >= 0x1p53) return Parity::even;
  const auto whole = static_cast<std::int64_t>(size);
  if (static_cast<double>(whole) != size) return Parity::fraction;
  return (whole & 1) != 0 ? Parity::odd : Parity::even;
}

/// x^y for x positive and finite, y finite.
double positive_pow(double x, double y) {
  const Split logarithm = log2_pair(x);
  const double estimate = y * logarithm.high;
  if (estimate > 1025.0) return infinity;
  if (estimate < -1080.0) return 0.0;
  const double y_leading = leading<27>(y);
  const double log_leading = leading<27>(logarithm.high);
  const double high = y_leading * log_leading;
  const double low = y_leading * (logarithm.high - log_leading) + (y - y_leading) * logarithm.high +
                     y * logarithm.low;
  return exp2_of_sum(high, low);
}

/// x^y where x is zero or infinite, or y is infinite; NaNs, x = 1 and y = 0 are dealt with.
double limit_pow(double x, double y) {
  const double size = magnitude(x);
  if (size == 1.0) return 1.0;
  const double result = (size > 1.0) == (y > 0.0) ? infinity : 0.0;
  const bool odd = magnitude(y) < infinity && parity(y) == Parity::odd;
  return is_negative(x) && odd ? -result : result;
}

}  // namespace

double exp2(double x) {
  if (!(magnitude(x) < 1080.0)) return is_nan(x) ? not_a_number : (x > 0.0 ? infinity : 0.0);
  return exp2_of_sum(x, 0.0);
}

double exp(double x) {
  if (!(magnitude(x) < 750.0)) return is_nan(x) ? not_a_number : (x > 0.0 ? infinity : 0.0);
  // |k| < 2^17 times 35 bits is exact, and so is the first difference.
  const double k = nearest(x * (64 * per_ln2));
  return power_times_exp(k, (x - k * tables::ln2_64th_high) - k * tables::ln2_64th_low);
}

double log2(double x) {
  if (!has_plain_logarithm(x)) return special_logarithm(x);
  const Reduced parts = reduced(x);
  const double r = parts.rest;
  const double r_leading = leading<27>(r);
  const double product = r_leading * tables::per_ln2_high;  // exact
  const double product_low =
      ((r - r_leading) + parts.rest_low) * tables::per_ln2_high + r * tables::per_ln2_low;
  const double curve = r * r * (r * cubic_tail(r) - 0.5) * per_ln2;
  const double base = parts.exponent + parts.interval.log2_high;  // exact
  const double sum = base + product;
  return sum + (((base - sum) + product) + ((product_low + parts.interval.log2_low) + curve));
}

double log(double x) {
  if (!has_plain_logarithm(x)) return special_logarithm(x);
  const Reduced parts = reduced(x);
  const double r = parts.rest;
  const double curve = r * r * (r * cubic_tail(r) - 0.5);
  const double base = parts.exponent * tables::ln2_high + parts.interval.ln_high;  // exact
  const double base_low = parts.exponent * tables::ln2_low + parts.interval.ln_low;
  const double sum = base + r;
  return sum + (((base - sum) + r) + ((base_low + parts.rest_low) + curve));
}

double pow(double x, double y) {
  if (x == 1.0 || y == 0.0) return 1.0;
  if (is_nan(x) || is_nan(y)) return not_a_number;
  const bool y_is_finite = magnitude(y) < infinity;
  if (x == 0.0 || magnitude(x) == infinity || !y_is_finite) return limit_pow(x, y);
  if (x > 0.0) return positive_pow(x, y);
  switch (parity(y)) {
    case Parity::fraction:
      return not_a_number;
    case Parity::even:
      return positive_pow(-x, y);
    case Parity::odd:
      return -positive_pow(-x, y);
  }
  return not_a_number;
}

}  // namespace cubicbench::sim
