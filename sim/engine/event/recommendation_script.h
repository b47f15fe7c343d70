#pragma once

#include "sim/engine/event/step_script.h"
#include "sim/hardware/cluster.h"
#include "sim/hardware/stack.h"
#include "sim/memory/memory_report.h"
#include "sim/plan/plan.h"
#include "sim/program/recommendation_program.h"

namespace cubicbench::sim {

/// What every rank does in a step of `program`; all do the same, as the busiest does. `memory` says
/// how full they are.
StepScript recommendation_script(const RecommendationProgram& program, const Plan& plan,
                                 const Cluster& cluster, const Stack& stack,
                                 const MemoryReport& memory);

}  // namespace cubicbench::sim
