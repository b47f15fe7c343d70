#pragma once

#include "sim/hardware/cluster.h"
#include "sim/hardware/stack.h"
#include "sim/plan/plan.h"

namespace cubicbench::sim {

/// What a step runs on, and how.
struct StepContext {
  const Cluster& cluster;
  const Stack& stack;
  const Plan& plan;
};

}  // namespace cubicbench::sim
