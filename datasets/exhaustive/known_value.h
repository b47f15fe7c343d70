#pragma once

#include <limits>

#include "datasets/exhaustive/best_found.h"

namespace cubicbench::datasets {

/// How good a value is known to be reached, for those who leave out what cannot reach it.
struct KnownValue {
  scenarios::Direction direction = scenarios::Direction::maximize;
  double value = worst(scenarios::Direction::maximize);  ///< the worst infinity if none is known

  static double worst(scenarios::Direction direction) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return direction == scenarios::Direction::maximize ? -infinity : infinity;
  }
  static KnownValue none(scenarios::Direction direction) { return {direction, worst(direction)}; }

  /// May a part with this bound hold what is at least as good?
  bool hopeful(double bound) const {
    return bound != worst(direction) && !is_better(value, bound, direction);
  }
};

}  // namespace cubicbench::datasets
