#pragma once

#include "sim/hardware/cluster.h"
#include "sim/hardware/stack.h"
#include "sim/plan/plan.h"
#include "sim/program/recommendation_program.h"
#include "sim/workload/recommendation.h"

namespace cubicbench::sim {

/// Writes the step of `model` under `plan` into `program`, reusing its buffers.
/// Requires check(plan, model, cluster) to pass.
void lower(const Recommendation& model, const Plan& plan, const Cluster& cluster,
           const Stack& stack, RecommendationProgram& program);

}  // namespace cubicbench::sim
