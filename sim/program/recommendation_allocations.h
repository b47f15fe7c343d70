#pragma once

#include "sim/hardware/stack.h"
#include "sim/plan/plan.h"
#include "sim/program/recommendation_program.h"
#include "sim/workload/recommendation.h"

namespace cubicbench::sim {

/// Adds what each class of ranks allocates over a step [docs/models.md, section R], all else of
/// `program` being there.
void add_allocations(const Recommendation& model, const Plan& plan, const Stack& stack,
                     RecommendationProgram& program);

/// Bytes that one layer, recomputed as said, keeps of one sample for its backward pass, in the type
/// of parameters.
double kept_by_layer(const LayerWork& layer, const Plan& plan, Recompute recompute);

}  // namespace cubicbench::sim
