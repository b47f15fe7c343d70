#include "support/statistics/holm.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "sim/base/check.h"

namespace cubicbench::support {

std::vector<double> holm_adjusted(std::span<const double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return p[i]; });
  std::vector<double> adjusted(p.size());
  double largest = 0.0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const double each = p[order[rank]];
    SIM_ASSERT(each >= 0.0 && each <= 1.0, each);
    largest = std::max(largest, std::min(1.0, static_cast<double>(p.size() - rank) * each));
    adjusted[order[rank]] = largest;
  }
  return adjusted;
}

}  // namespace cubicbench::support
