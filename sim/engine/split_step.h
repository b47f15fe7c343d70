#pragma once

#include "sim/engine/block_cost.h"
#include "sim/program/step_program.h"

namespace cubicbench::sim {

/// A step whose backward passes are split.
struct SplitStep {
  StepCost slowest;  ///< parts of the stage that computes longest
  Seconds total;
};

/// Puts the step together from its stages. Changes the buffers in `program.split`.
SplitStep split_step(StepProgram& program, const BlockCosts& blocks, const StepContext& on);

}  // namespace cubicbench::sim
