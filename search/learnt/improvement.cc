#include "search/learnt/improvement.h"

#include "sim/base/numeric.h"
#include "support/statistics/normal.h"

namespace cubicbench::search {
namespace {

constexpr double log_sqrt_two_pi = 0.91893853320467274178;

double log_density(double x) { return -0.5 * x * x - log_sqrt_two_pi; }

}  // namespace

// The improvement is deviation (density(z) + z P(X < z)). Far below the best the two cancel but for
// density(z) / z^2 (1 - 3 / z^2 + 15 / z^4 - ...).
double log_expected_improvement(const predictor::Normal& f, double best) {
  constexpr double far = -20.0;
  const double z = (f.mean - best) / f.deviation;
  const double log_deviation = sim::log(f.deviation);
  if (z < far) {
    const double inverse = 1.0 / (z * z);
    const double rest = 1.0 - inverse * (3.0 - inverse * (15.0 - 105.0 * inverse));
    return log_deviation + log_density(z) + sim::log(inverse * rest);
  }
  const double density = sim::exp(log_density(z));
  if (z > -1.0) return log_deviation + sim::log(density + z * support::normal_cdf(z));
  const double share = 1.0 + z * (support::normal_cdf(z) / density);
  return log_deviation + log_density(z) + sim::log(share);
}

}  // namespace cubicbench::search
