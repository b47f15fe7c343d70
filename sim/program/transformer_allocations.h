#pragma once

#include "sim/hardware/stack.h"
#include "sim/plan/plan.h"
#include "sim/program/step_program.h"
#include "sim/workload/transformer.h"

namespace cubicbench::sim {

/// Adds what the first stage of `run` allocates over a step, as a holder of its own.
/// Sources: kept activations, see kept_activations.h [docs/models.md, section M].
void add_allocations(const Transformer& model, const Plan& plan, const Stack& stack,
                     const StageRun& run, StepProgram& program);

}  // namespace cubicbench::sim
