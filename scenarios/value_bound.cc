#include "scenarios/value_bound.h"

#include <limits>

namespace cubicbench::scenarios {

ValueBound::ValueBound(const Instance& instance) : instance_(instance) {}

double ValueBound::upper_bound(std::span<const std::int64_t>, std::size_t) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const bool maximises = instance_.scenario().objective.direction == Direction::maximize;
  return maximises ? infinity : -infinity;
}

}  // namespace cubicbench::scenarios
