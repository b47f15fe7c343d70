#include "support/statistics/superiority.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "sim/base/check.h"
#include "sim/base/numeric.h"
#include "support/statistics/mann_whitney.h"
#include "support/statistics/mean.h"
#include "support/statistics/normal.h"

namespace cubicbench::support {
namespace {

std::vector<double> sorted(std::span<const double> values) {
  std::vector<double> copy(values.begin(), values.end());
  std::ranges::sort(copy);
  return copy;
}

/// Share of `others`, which are sorted, below each value, equal ones counted half.
std::vector<double> placements(std::span<const double> values, const std::vector<double>& others) {
  std::vector<double> shares;
  for (const double value : values) {
    const auto first = std::ranges::lower_bound(others, value);
    const auto last = std::ranges::upper_bound(others, value);
    const auto twice = static_cast<double>((first - others.begin()) + (last - others.begin()));
    shares.push_back(0.5 * twice / static_cast<double>(others.size()));
  }
  return shares;
}

double error_of(const std::vector<double>& shares) {
  return variance(shares, Drawn::sample) / static_cast<double>(shares.size());
}

/// What `pairs` pairs leave possible that all fell on one side, or all tied.
Interval interval_of_pairs(double a12, double pairs, double outside) {
  const double low = sim::pow(outside, 1.0 / pairs);
  if (a12 == 1.0) return {.low = low, .high = 1.0};
  if (a12 == 0.0) return {.low = 0.0, .high = 1.0 - low};
  // All values are equal: were P(a > b) more than 1 - low, a pair would show it.
  const double reach = 0.5 * (1.0 - low);
  return {.low = a12 - reach, .high = a12 + reach};
}

}  // namespace

Superiority superiority(std::span<const double> a, std::span<const double> b, double level) {
  SIM_ASSERT(level > 0.0 && level < 1.0, level);
  Superiority result{.a12 = a12(a, b)};
  if (a.size() < 2 || b.size() < 2) return result;
  result.variance = error_of(placements(a, sorted(b))) + error_of(placements(b, sorted(a)));
  const double outside = (1.0 - level) / 2.0;
  if (result.variance == 0.0 || result.a12 == 0.0 || result.a12 == 1.0) {
    const auto pairs = static_cast<double>(std::min(a.size(), b.size()));
    result.interval = interval_of_pairs(result.a12, pairs, outside);
    return result;
  }
  const double odds = sim::log(result.a12 / (1.0 - result.a12));
  const double error = std::sqrt(result.variance) / (result.a12 * (1.0 - result.a12));
  const double reach = -normal_quantile(outside) * error;
  const auto share = [](double log_odds) { return 1.0 / (1.0 + sim::exp(-log_odds)); };
  result.interval = {.low = share(odds - reach), .high = share(odds + reach)};
  return result;
}

double cliffs_delta(std::span<const double> a, std::span<const double> b) {
  return 2.0 * a12(a, b) - 1.0;
}

}  // namespace cubicbench::support
