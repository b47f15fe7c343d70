#include "support/statistics/interquartile_mean.h"

#include <algorithm>
#include <cstddef>
#include <span>

#include "sim/base/check.h"
#include "support/statistics/mean.h"

namespace cubicbench::support {

double interquartile_mean(std::vector<double> values) {
  SIM_ASSERT(!values.empty(), values.size());
  std::ranges::sort(values);
  const std::size_t left_out = values.size() / 4;
  return mean(std::span(values).subspan(left_out, values.size() - 2 * left_out));
}

}  // namespace cubicbench::support
