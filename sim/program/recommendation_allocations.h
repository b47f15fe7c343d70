#pragma once

#include "sim/hardware/stack.h"
#include "sim/plan/plan.h"
#include "sim/program/recommendation_program.h"
#include "sim/workload/recommendation.h"

namespace cubicbench::sim {

/// What every rank allocates over a step beside its tables [docs/models.md, section R]; the archs
/// of `program` are there.
void add_dense_allocations(const Plan& plan, const Stack& stack, RecommendationProgram& program);

/// What each class of ranks allocates for its tables and their batch; sharding and volumes of
/// `program` are there.
void add_table_allocations(const Recommendation& model, const Plan& plan,
                           RecommendationProgram& program);

/// Both together, of each class.
void join_allocations(RecommendationProgram& program);

/// Bytes that one layer, recomputed as said, keeps of one sample for its backward pass, in the type
/// of parameters.
double kept_by_layer(const LayerWork& layer, const Plan& plan, Recompute recompute);

}  // namespace cubicbench::sim
