#pragma once

#include "sim/engine/step_report.h"
#include "sim/hardware/cluster.h"
#include "sim/hardware/stack.h"
#include "sim/plan/plan.h"
#include "sim/program/workspace.h"
#include "sim/workload/workload.h"

namespace cubicbench::sim {

/// Time and memory of one training step: lowers to a program held in `workspace` and
/// evaluates it by recurrence over streams and repeat counts. Nothing is allocated once the
/// workspace has seen its largest program. Pure: equal arguments, equal bits.
StepReport evaluate(const Transformer& model, const Plan& plan, const Cluster& cluster,
                    const Stack& stack, Workspace& workspace);
StepReport evaluate(const Recommendation& model, const Plan& plan, const Cluster& cluster,
                    const Stack& stack, Workspace& workspace);

/// Of whichever kind the model is.
StepReport evaluate(const Workload& model, const Plan& plan, const Cluster& cluster,
                    const Stack& stack, Workspace& workspace);

/// The time of a lowered step that needs `report.memory`: writes `step` and `parts` and nothing
/// else. A program from which operations were taken has the time of a step without them. Of
/// `program` it changes the buffers in `split`.
void time_step(StepProgram& program, const Plan& plan, const Cluster& cluster, const Stack& stack,
               StepReport& report);

}  // namespace cubicbench::sim
