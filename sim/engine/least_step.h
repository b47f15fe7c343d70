#pragma once

#include "sim/engine/block_cost.h"
#include "sim/plan/plan.h"
#include "sim/program/step_program.h"

namespace cubicbench::sim {

/// A step takes no less: passes over the layers of the stage that has most to do, one after the
/// other, or as pairs where the schedule runs them at once. Left out: ends of the model, weights on
/// their way, bubbles. Takes a fraction of the time that the step takes to work out.
Seconds least_step(const StepProgram& program, const BlockCosts& blocks, const Plan& plan);

}  // namespace cubicbench::sim
