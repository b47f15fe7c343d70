#pragma once

#include <array>

#include "sim/base/units.h"
#include "sim/hardware/cluster.h"
#include "sim/hardware/stack.h"
#include "sim/plan/plan.h"
#include "sim/program/parts.h"

namespace cubicbench::sim {

/// Time by part. A pass over one layer, a stage or a whole step is a sum of these.
struct StepCost {
  std::array<Seconds, step_part_count> parts{};

  Seconds& operator[](StepPart part) { return parts[static_cast<std::size_t>(part)]; }

  Seconds total() const {
    Seconds sum;
    for (const Seconds part : parts) sum += part;
    return sum;
  }

  void add(double times, const StepCost& other) {
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i] += times * other.parts[i];
  }
};

/// What a step runs on, and how.
struct StepContext {
  const Cluster& cluster;
  const Stack& stack;
  const Plan& plan;
};

}  // namespace cubicbench::sim
