#pragma once

#include <vector>

#include "sim/hardware/stack.h"
#include "sim/plan/plan.h"
#include "sim/program/step_program.h"
#include "sim/workload/transformer.h"

namespace cubicbench::sim {

/// Divides the layers of the model among the pipeline's stages: writes `runs`, whose stages differ
/// in what layers and ends of the model they have, without what those weigh. Reads the settings of
/// the pipeline alone.
void divide_layers(const Transformer& model, const Plan& plan, const Stack& stack,
                   std::vector<StageRun>& runs);

/// Adds to the runs of `program`, whose mesh and traffic are there, what their layers weigh and
/// which are recomputed.
void add_run_weights(const Transformer& model, const Plan& plan, const Stack& stack,
                     StepProgram& program);

}  // namespace cubicbench::sim
