#include "support/statistics/incomplete_beta.h"

#include <cmath>

#include "sim/base/check.h"
#include "sim/base/numeric.h"

namespace cubicbench::support {
namespace {

constexpr double half_log_two_pi = 0.91893853320467274178;
constexpr double tiny = 1e-300;
constexpr double precision = 1e-15;
constexpr int terms_max = 10'000;

/// Keeps a denominator of a continued fraction away from 0.
double away_from_zero(double x) { return std::fabs(x) < tiny ? tiny : x; }

/// The value of b_0 + a_1 / (b_1 + a_2 / (b_2 + ...)) by Lentz's method, extended term by term.
class ContinuedFraction {
 public:
  explicit ContinuedFraction(double b0) : value_(away_from_zero(b0)), c_(value_) {}

  /// Adds a / (b + ...); false once that changes nothing.
  bool add(double a, double b) {
    d_ = 1.0 / away_from_zero(b + a * d_);
    c_ = away_from_zero(b + a / c_);
    const double factor = c_ * d_;
    value_ *= factor;
    return std::fabs(factor - 1.0) > precision;
  }

  double value() const { return value_; }

 private:
  double value_;
  double c_;
  double d_ = 0.0;
};

/// I_x(a, b) of an x below the mean, where the fraction converges fast.
double beta_fraction(double a, double b, double x) {
  ContinuedFraction fraction(1.0);
  for (int m = 0; m < terms_max; ++m) {
    const double at = a + 2.0 * m;
    const double odd = -(a + m) * (a + b + m) * x / (at * (at + 1.0));
    fraction.add(odd, 1.0);
    const double even = (m + 1.0) * (b - m - 1.0) * x / ((at + 1.0) * (at + 2.0));
    if (!fraction.add(even, 1.0)) break;
  }
  const double front =
      log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * sim::log(x) + b * sim::log(1.0 - x);
  return sim::exp(front) / (a * fraction.value());
}

/// 1 - Q(a, x) of an x below a + 1.
double gamma_series(double a, double x) {
  double term = 1.0 / a;
  double sum = term;
  for (double n = a + 1.0; term > sum * precision; n += 1.0) {
    term *= x / n;
    sum += term;
  }
  return sum * sim::exp(a * sim::log(x) - x - log_gamma(a));
}

double gamma_fraction(double a, double x) {
  ContinuedFraction fraction(x + 1.0 - a);
  for (int n = 1; n < terms_max; ++n) {
    if (!fraction.add(-n * (n - a), x + 2.0 * n + 1.0 - a)) break;
  }
  return sim::exp(a * sim::log(x) - x - log_gamma(a)) / fraction.value();
}

}  // namespace

double log_gamma(double x) {
  SIM_ASSERT(x > 0.0, x);
  constexpr double enough = 10.0;
  double moved = 1.0;
  for (; x < enough; x += 1.0) moved *= x;
  const double y = 1.0 / (x * x);
  const double series =
      (1.0 / 12.0 -
       y * (1.0 / 360.0 -
            y * (1.0 / 1260.0 -
                 y * (1.0 / 1680.0 - y * (1.0 / 1188.0 - y * (691.0 / 360360.0 - y / 156.0)))))) /
      x;
  return (x - 0.5) * sim::log(x) - x + half_log_two_pi + series - sim::log(moved);
}

double incomplete_beta(double a, double b, double x) {
  SIM_ASSERT(a > 0.0 && b > 0.0, a, b);
  SIM_ASSERT(x >= 0.0 && x <= 1.0, x);
  if (x == 0.0 || x == 1.0) return x;
  const bool low = x < (a + 1.0) / (a + b + 2.0);
  return low ? beta_fraction(a, b, x) : 1.0 - beta_fraction(b, a, 1.0 - x);
}

double incomplete_gamma_tail(double a, double x) {
  SIM_ASSERT(a > 0.0 && x >= 0.0, a, x);
  if (x == 0.0) return 1.0;
  return x < a + 1.0 ? 1.0 - gamma_series(a, x) : gamma_fraction(a, x);
}

}  // namespace cubicbench::support
