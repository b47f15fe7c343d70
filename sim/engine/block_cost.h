#pragma once

#include <array>
#include <cstddef>

#include "sim/engine/step_cost.h"
#include "sim/program/step_program.h"

namespace cubicbench::sim {

/// One pass over one block on one rank [docs/models.md, Eq. E-1].
StepCost block_cost(const StepProgram& program, BlockId id, const StepContext& on);

/// Of all of them.
struct BlockCosts {
  std::array<StepCost, block_count> of;
  const StepCost& operator[](BlockId id) const { return of[static_cast<std::size_t>(id)]; }
};

/// A block without operations costs nothing.
BlockCosts block_costs(const StepProgram& program, const StepContext& on);

}  // namespace cubicbench::sim
