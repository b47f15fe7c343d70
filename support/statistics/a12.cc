#include "support/statistics/a12.h"

#include <numeric>
#include <vector>

#include "sim/base/check.h"
#include "support/statistics/ranks.h"

namespace cubicbench::support {

double a12(std::span<const double> a, std::span<const double> b) {
  SIM_ASSERT(!a.empty() && !b.empty(), a.size(), b.size());
  std::vector<double> all(a.begin(), a.end());
  all.insert(all.end(), b.begin(), b.end());
  const std::vector<double> ranks = average_ranks(all);
  const auto m = static_cast<double>(a.size());
  const auto n = static_cast<double>(b.size());
  // Mid-ranks are whole numbers of halves, so sums of them are exact.
  const double sum = std::accumulate(ranks.begin(), ranks.end() - std::ssize(b), 0.0);
  return (sum - m * (m + 1.0) / 2.0) / (m * n);
}

}  // namespace cubicbench::support
