#pragma once

#include <span>

#include "sim/engine/bare_step.h"

namespace cubicbench::sim {

/// bare_step() of a schedule with split backward passes.
BareStep split_step(StepProgram& program, const BlockCosts& blocks,
                    std::span<const WeightCost> weights, const StepContext& on);

}  // namespace cubicbench::sim
