#include "results/validation/quantiles.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

namespace cubicbench::results {

std::optional<double> quantile_if_any(std::vector<double> values, double q) {
  if (values.empty()) return std::nullopt;
  std::ranges::sort(values);
  const double position = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(position));
  const std::size_t above = std::min(below + 1, values.size() - 1);
  const double share = position - std::floor(position);
  if (share == 0.0) return values[below];  // an infinite neighbour has no say
  return values[below] + share * (values[above] - values[below]);
}

std::optional<double> median(std::vector<double> values) {
  return quantile_if_any(std::move(values), 0.5);
}

std::optional<double> mean(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace cubicbench::results
