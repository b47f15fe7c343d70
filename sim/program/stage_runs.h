#pragma once

#include "sim/hardware/stack.h"
#include "sim/plan/plan.h"
#include "sim/program/step_program.h"
#include "sim/workload/transformer.h"

namespace cubicbench::sim {

/// Divides the model among the pipeline's stages: fills `runs` of `program`, whose mesh and traffic
/// are there, and adds what each run allocates.
void add_stage_runs(const Transformer& model, const Plan& plan, const Stack& stack,
                    StepProgram& program);

}  // namespace cubicbench::sim
