#include "support/statistics/median_low.h"

#include <algorithm>

namespace cubicbench::support {

double median_low(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

}  // namespace cubicbench::support
