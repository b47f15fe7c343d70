#pragma once

#include "sim/hardware/stack.h"
#include "sim/plan/plan.h"
#include "sim/program/step_program.h"
#include "sim/workload/transformer.h"

namespace cubicbench::sim {

/// Appends what the first stage of `run` allocates over a step, and notes the range in `run`.
/// Sources: states a parameter, [ZeRO19, section 5] and [FSDP23, section 3.2]; kept activations,
/// [Korthikanti22, section 4] with the kept tensors of the stack [docs/models.md, section M].
void write_allocations(const Transformer& model, const Plan& plan, const Stack& stack,
                       StepProgram& program, StageRun& run);

/// Bytes that one layer, recomputed as the plan says, keeps for its backward pass, for
/// `token_count` tokens of one rank.
double kept_by_layer(const Transformer& model, const Plan& plan, const Stack& stack,
                     double token_count);

}  // namespace cubicbench::sim
