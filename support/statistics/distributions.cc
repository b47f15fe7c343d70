#include "support/statistics/distributions.h"

#include <algorithm>
#include <cmath>

#include "sim/base/check.h"
#include "sim/base/numeric.h"
#include "support/statistics/incomplete_beta.h"
#include "support/statistics/normal.h"

namespace cubicbench::support {

double chi_squared_tail(double x, double df) {
  return x > 0.0 ? incomplete_gamma_tail(df / 2.0, x / 2.0) : 1.0;
}

double f_tail(double x, double df1, double df2) {
  return x > 0.0 ? incomplete_beta(df2 / 2.0, df1 / 2.0, df2 / (df2 + df1 * x)) : 1.0;
}

// The trapezoidal rule converges faster than any power of the step where a smooth integrand and all
// its derivatives vanish at both ends.
double normal_range_tail(double q, int count) {
  SIM_ASSERT(count >= 2, count);
  if (q <= 0.0) return 1.0;
  constexpr double end = 9.0;
  constexpr int steps = 180;
  constexpr double step = 2.0 * end / steps;
  constexpr double sqrt_two_pi = 2.5066282746310005024;
  double sum = 0.0;
  for (int i = 0; i <= steps; ++i) {
    const double x = -end + i * step;
    const double within = normal_cdf(x) - normal_cdf(x - q);
    double power = 1.0;
    for (int factor = 1; factor < count; ++factor) power *= within;
    sum += sim::exp(-0.5 * x * x) / sqrt_two_pi * power;
  }
  return std::clamp(1.0 - count * sum * step, 0.0, 1.0);
}

double normal_range_quantile(double p, int count) {
  SIM_ASSERT(p > 0.0 && p < 1.0, p);
  double low = 0.0;
  double high = 20.0;
  constexpr int halvings = 60;
  for (int i = 0; i < halvings; ++i) {
    const double middle = 0.5 * (low + high);
    (normal_range_tail(middle, count) > p ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace cubicbench::support
