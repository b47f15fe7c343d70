#pragma once

#include "datasets/exhaustive/best_found.h"
#include "scenarios/problem/scenario.h"
#include "scenarios/truth/instance.h"

namespace cubicbench::results {

/// How many times as good `value` is as `than`: above 1 where it is better. Requires both above 0.
inline double times_as_good(scenarios::Direction direction, double value, double than) {
  return direction == scenarios::Direction::maximize ? value / than : than / value;
}

inline bool is_better(scenarios::Direction direction, double value, double than) {
  return datasets::is_better(value, than, direction);
}

/// What runs is better than what does not.
inline bool is_better(scenarios::Direction direction, const scenarios::TrueValue& value,
                      const scenarios::TrueValue& than) {
  if (value.reason != scenarios::Reason::none) return false;
  return than.reason != scenarios::Reason::none || is_better(direction, value.value, than.value);
}

}  // namespace cubicbench::results
