#include "support/statistics/main_effect.h"

#include <algorithm>
#include <cstddef>
#include <map>

#include "sim/base/check.h"

namespace cubicbench::support {
namespace {

struct Level {
  double count = 0.0;
  double sum = 0.0;
};

/// Squared distances of values from the mean of their level, summed.
double squares_within(std::span<const std::int64_t> of, std::span<const double> values,
                      const std::map<std::int64_t, Level>& levels) {
  double sum = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Level& level = levels.at(of[i]);
    const double distance = values[i] - level.sum / level.count;
    sum += distance * distance;
  }
  return sum;
}

}  // namespace

std::optional<double> main_effect(std::span<const std::int64_t> levels,
                                  std::span<const double> values, Drawn drawn) {
  SIM_ASSERT(levels.size() == values.size(), levels.size(), values.size());
  std::map<std::int64_t, Level> by_level;
  for (std::size_t i = 0; i < values.size(); ++i) {
    Level& level = by_level[levels[i]];
    level.count += 1.0;
    level.sum += values[i];
  }
  const auto n = static_cast<double>(values.size());
  const auto k = static_cast<double>(by_level.size());
  if (n < 2.0 || (drawn == Drawn::sample && n <= k)) return std::nullopt;
  const double total = squares_about(values, mean(values));
  if (total <= 0.0) return std::nullopt;
  const double by_chance = drawn == Drawn::sample ? (n - 1.0) / (n - k) : 1.0;
  const double within = squares_within(levels, values, by_level);
  return std::max(0.0, 1.0 - by_chance * within / total);
}

}  // namespace cubicbench::support
