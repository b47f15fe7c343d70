#pragma once

#include "sim/engine/step_report.h"
#include "sim/hardware/cluster.h"
#include "sim/hardware/stack.h"
#include "sim/plan/plan.h"
#include "sim/program/step_program.h"
#include "sim/workload/transformer.h"

namespace cubicbench::sim {

/// Time and memory of one training step: lowers to a StepProgram held in `workspace` and
/// evaluates it by recurrence over streams and repeat counts. Nothing is allocated once the
/// workspace has seen its largest program. Pure: equal arguments, equal bits.
StepReport evaluate(const Transformer& model, const Plan& plan, const Cluster& cluster,
                    const Stack& stack, Workspace& workspace);

}  // namespace cubicbench::sim
