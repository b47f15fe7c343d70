#include "support/statistics/quantile.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "sim/base/check.h"

namespace cubicbench::support {

double quantile_of_sorted(std::span<const double> sorted, double q) {
  SIM_ASSERT(!sorted.empty(), q);
  SIM_ASSERT(q >= 0.0 && q <= 1.0, q);
  const double position = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(position));
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double share = position - static_cast<double>(below);
  // Adding 0.0 makes -0.0 positive: which of two zeros sorts first is not defined.
  if (share == 0.0 || sorted[below] == sorted[above]) return sorted[below] + 0.0;
  return sorted[below] + share * (sorted[above] - sorted[below]);
}

double quantile(std::vector<double> values, double q) {
  std::ranges::sort(values);
  return quantile_of_sorted(values, q);
}

std::optional<double> quantile_if_any(std::vector<double> values, double q) {
  if (values.empty()) return std::nullopt;
  return quantile(std::move(values), q);
}

double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

std::optional<double> median_if_any(std::vector<double> values) {
  return quantile_if_any(std::move(values), 0.5);
}

double median_high(std::vector<double> values) {
  SIM_ASSERT(!values.empty(), values.size());
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

}  // namespace cubicbench::support
