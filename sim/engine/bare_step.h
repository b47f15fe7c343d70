#pragma once

#include <span>

#include "sim/engine/block_cost.h"
#include "sim/engine/step_context.h"
#include "sim/engine/step_cost.h"
#include "sim/engine/weight_time.h"
#include "sim/program/step_program.h"

namespace cubicbench::sim {

/// A step that neither full memory nor stragglers delay.
struct BareStep {
  StepCost slowest;  ///< parts of the stage that computes longest
  Seconds total;
};

/// Puts the step together from its stages. `weights`: of collectives over the weights of each run,
/// in order; where it is empty they are worked out. Of `program` it changes the buffers in `split`.
BareStep bare_step(StepProgram& program, const BlockCosts& blocks,
                   std::span<const WeightCost> weights, const StepContext& on);

/// The parts of the step where they do. What the stage that computes longest does not fill is the
/// pipeline's bubble, where there is one. `retries` and `stragglers`: shares by which the step is
/// longer (retry_share, straggler_share).
StepCost delayed(const BareStep& step, bool pipelined, double retries, double stragglers);

}  // namespace cubicbench::sim
