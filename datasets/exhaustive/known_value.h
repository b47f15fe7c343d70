#pragma once

#include <limits>

#include "datasets/exhaustive/best_found.h"

namespace cubicbench::datasets {

/// How good a value is known to be reached, for those who leave out what cannot reach it.
struct KnownValue {
  scenarios::Direction direction;
  double value;  ///< the worst infinity if none is known

  /// Nothing is known yet.
  explicit KnownValue(scenarios::Direction better) : direction(better), value(worst(better)) {}

  static double worst(scenarios::Direction direction) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return direction == scenarios::Direction::maximize ? -infinity : infinity;
  }

  /// May a part with this bound hold what is at least as good?
  bool hopeful(double bound) const {
    return bound != worst(direction) && !is_better(value, bound, direction);
  }
};

}  // namespace cubicbench::datasets
