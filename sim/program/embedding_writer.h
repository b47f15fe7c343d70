#pragma once

#include "sim/hardware/stack.h"
#include "sim/plan/plan.h"
#include "sim/program/recommendation_program.h"

namespace cubicbench::sim {

/// Appends the operations of the sparse side and fills its blocks; sharding, volumes and groups of
/// `program` are there.
void write_embeddings(const Recommendation& model, const Plan& plan, const Stack& stack,
                      RecommendationProgram& program);

}  // namespace cubicbench::sim
