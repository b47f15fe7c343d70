#include "support/statistics/normal.h"

#include <cmath>

#include "sim/base/check.h"
#include "sim/base/numeric.h"

namespace cubicbench::support {
namespace {

constexpr double sqrt_two_pi = 2.5066282746310005024;

double density(double x) { return sim::exp(-0.5 * x * x) / sqrt_two_pi; }

/// P(0 < X <= x) of a small x >= 0, without cancellation as all terms are positive:
///
///   Z(x) (x + x^3 / 3 + x^5 / (3 5) + x^7 / (3 5 7) + ...)        [AbramowitzStegun64, 26.2.11]
double centre_part(double x) {
  double sum = 0.0;
  double term = x;
  for (double odd = 3.0; sum + term != sum; odd += 2.0) {
    sum += term;
    term *= x * x / odd;
  }
  return density(x) * sum;
}

/// P(X > x) of a large x:
///
///   Z(x) (1 / (x + 1 / (x + 2 / (x + 3 / (x + ...)))))             [AbramowitzStegun64, 26.2.14]
double far_tail(double x) {
  constexpr int levels = 150;  // at x = 2, 110 are enough for a double
  double fraction = x;
  for (int level = levels; level >= 1; --level) fraction = x + level / fraction;
  return density(x) / fraction;
}

constexpr double far = 2.0;

}  // namespace

double normal_tail(double x) {
  SIM_ASSERT(!std::isnan(x), x);
  if (x >= far) return far_tail(x);
  if (x <= -far) return 1.0 - far_tail(-x);
  return x >= 0.0 ? 0.5 - centre_part(x) : 0.5 + centre_part(-x);
}

double normal_cdf(double x) { return normal_tail(-x); }

// A rational approximation to 4.5e-4 [AbramowitzStegun64, 26.2.23], then Halley's method on the
// tail, which trebles the number of right digits at every step: three are enough.
double normal_quantile(double p) {
  SIM_ASSERT(p > 0.0 && p < 1.0, p);
  if (p == 0.5) return 0.0;
  if (p > 0.5) return -normal_quantile(1.0 - p);
  const double t = std::sqrt(-2.0 * sim::log(p));
  double x = t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                     (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  for (int step = 0; step < 3; ++step) {
    const double off = (normal_tail(x) - p) / density(x);
    x += off / (1.0 - 0.5 * x * off);
  }
  return -x;
}

}  // namespace cubicbench::support
