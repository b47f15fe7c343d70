#pragma once

#include "sim/hardware/cluster.h"
#include "sim/hardware/stack.h"
#include "sim/program/weights.h"

namespace cubicbench::sim {

/// What weight gathers and gradient reductions add to a step beyond the compute that they hide
/// under [docs/models.md, section D].
struct WeightTime {
  Seconds forward;   ///< to the forward pass of each micro-batch
  Seconds backward;  ///< to its backward pass
  Seconds once;      ///< to the step
};

/// `forward` and `backward` are the passes of one micro-batch over these weights.
WeightTime weight_time(const WeightTraffic& traffic, const WeightUnits& weights,
                       const WeightGroups& groups, Seconds forward, Seconds backward,
                       const Cluster& cluster, const Stack& stack);

}  // namespace cubicbench::sim
