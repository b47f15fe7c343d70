#pragma once

#include "sim/hardware/stack.h"
#include "sim/plan/plan.h"
#include "sim/program/recommendation_program.h"

namespace cubicbench::sim {

/// Appends the operations of a module group to the program and fills the blocks of its run.
void write_arch(const ArchWork& work, const Plan& plan, const Stack& stack,
                RecommendationProgram& program, ArchRun& run);

}  // namespace cubicbench::sim
