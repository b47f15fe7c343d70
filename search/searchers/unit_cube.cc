#include "search/searchers/unit_cube.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace cubicbench::search {
namespace {

double count_of(const scenarios::SearchSpace& space, std::size_t parameter) {
  return static_cast<double>(space.parameters()[parameter].values.size());
}

}  // namespace

std::vector<double> point_of(const scenarios::SearchSpace& space,
                             const scenarios::Configuration& config, RandomStream& random) {
  std::vector<double> point(config.size());
  for (std::size_t i = 0; i < config.size(); ++i) {
    point[i] = random.uniform();
    if (config[i] == scenarios::inactive) continue;
    point[i] = (static_cast<double>(config[i]) + point[i]) / count_of(space, i);
  }
  return point;
}

scenarios::Configuration configuration_at(const scenarios::SearchSpace& space,
                                          std::span<const double> point) {
  scenarios::Configuration config(point.size());
  // Conditions read earlier parameters alone, so one pass settles who is active.
  for (std::size_t i = 0; i < point.size(); ++i) {
    const double values = count_of(space, i);
    config[i] = space.active(config, i)
                    ? static_cast<std::int64_t>(std::min(point[i] * values, values - 1.0))
                    : scenarios::inactive;
  }
  return config;
}

}  // namespace cubicbench::search
