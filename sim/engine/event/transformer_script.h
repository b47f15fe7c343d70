#pragma once

#include "sim/engine/event/step_script.h"
#include "sim/hardware/cluster.h"
#include "sim/hardware/stack.h"
#include "sim/memory/memory_report.h"
#include "sim/plan/plan.h"
#include "sim/program/step_program.h"

namespace cubicbench::sim {

/// What the ranks of every pipeline stage do in a step of `program`, lowered from `model`. `memory`
/// says how full they are.
StepScript transformer_script(const StepProgram& program, const Transformer& model,
                              const Plan& plan, const Cluster& cluster, const Stack& stack,
                              const MemoryReport& memory);

}  // namespace cubicbench::sim
