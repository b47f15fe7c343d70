#pragma once

#include "scenarios/problem/scenario.h"

namespace cubicbench::scenarios {

/// `value` of the objective's metric as a score: greater is better.
inline double score_of(const Objective& objective, double value) {
  return objective.direction == Direction::maximize ? value : -value;
}

}  // namespace cubicbench::scenarios
