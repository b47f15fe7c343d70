#pragma once

#include "scenarios/problem/scenario.h"
#include "sim/memory/peak_memory.h"
#include "sim/program/workspace.h"

namespace cubicbench::scenarios {

/// What one stage of `plan` holds. Requires that the program which `workspace` saw last is of this
/// scenario and plan: call it after evaluate() or evaluate_roomy(), unless they said invalid.
sim::StageMemory stage_memory(const Scenario& scenario, const sim::Plan& plan,
                              sim::StageChoice choice, const sim::Workspace& workspace);

}  // namespace cubicbench::scenarios
