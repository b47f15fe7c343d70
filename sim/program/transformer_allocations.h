#pragma once

#include "sim/hardware/stack.h"
#include "sim/plan/plan.h"
#include "sim/program/step_program.h"
#include "sim/workload/transformer.h"

namespace cubicbench::sim {

/// Adds what the first stage of `run` allocates over a step, as a holder of its own.
/// Sources: kept activations, [Korthikanti22, section 4] with the kept tensors of the stack
/// [docs/models.md, section M].
void add_allocations(const Transformer& model, const Plan& plan, const Stack& stack,
                     const StageRun& run, StepProgram& program);

/// Bytes that one layer, recomputed as said, keeps for its backward pass, for `token_count` tokens
/// of one rank.
double kept_by_layer(const Transformer& model, const Plan& plan, Recompute recompute,
                     const Stack& stack, double token_count);

}  // namespace cubicbench::sim
