#include "support/statistics/a12.h"

#include "sim/base/check.h"
#include "support/statistics/mann_whitney.h"

namespace cubicbench::support {

double a12(std::span<const double> a, std::span<const double> b) {
  SIM_ASSERT(!a.empty() && !b.empty(), a.size(), b.size());
  return mann_whitney_u(a, b) / (static_cast<double>(a.size()) * static_cast<double>(b.size()));
}

}  // namespace cubicbench::support
