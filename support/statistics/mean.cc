#include "support/statistics/mean.h"

#include <cmath>
#include <cstddef>
#include <numeric>

#include "sim/base/check.h"

namespace cubicbench::support {

double mean(std::span<const double> values) {
  SIM_ASSERT(!values.empty(), values.size());
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::optional<double> mean_if_any(std::span<const double> values) {
  return values.empty() ? std::nullopt : std::optional(mean(values));
}

double weighted_mean(std::span<const double> values, std::span<const double> weights) {
  SIM_ASSERT(values.size() == weights.size(), values.size(), weights.size());
  double sum = 0.0;
  double weight = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += weights[i] * values[i];
    weight += weights[i];
  }
  SIM_ASSERT(weight > 0.0, weight);
  return sum / weight;
}

double squares_about(std::span<const double> values, double centre) {
  double sum = 0.0;
  for (const double value : values) sum += (value - centre) * (value - centre);
  return sum;
}

double variance(std::span<const double> values, Drawn drawn) {
  const auto n = static_cast<double>(values.size());
  const double freedom = drawn == Drawn::all ? n : n - 1.0;
  SIM_ASSERT(freedom >= 1.0, values.size());
  return squares_about(values, mean(values)) / freedom;
}

double weighted_variance(std::span<const double> values, std::span<const double> weights) {
  const double centre = weighted_mean(values, weights);
  double squares = 0.0;
  double weight = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    squares += weights[i] * (values[i] - centre) * (values[i] - centre);
    weight += weights[i];
  }
  return squares / weight;
}

MeanAndSd mean_and_sd(std::span<const double> values) {
  SIM_ASSERT(!values.empty(), values.size());
  const auto n = static_cast<double>(values.size());
  const double origin = values.front();
  double sum = 0.0;
  for (const double value : values) sum += value - origin;
  const double mean = origin + sum / n;
  if (values.size() == 1) return {.mean = mean, .sd = 0.0};
  return {.mean = mean, .sd = std::sqrt(squares_about(values, mean) / (n - 1.0))};
}

}  // namespace cubicbench::support
