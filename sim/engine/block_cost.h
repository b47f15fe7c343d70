#pragma once

#include <array>
#include <cstddef>

#include "sim/engine/step_cost.h"
#include "sim/hardware/cluster.h"
#include "sim/hardware/stack.h"
#include "sim/plan/plan.h"
#include "sim/program/step_program.h"

namespace cubicbench::sim {

/// What a step runs on, and how.
struct Machine {
  const Cluster& cluster;
  const Stack& stack;
  const Plan& plan;
};

/// One pass over one block on one rank [docs/models.md, Eq. E-1].
StepCost block_cost(const StepProgram& program, BlockId id, const Machine& on);

/// Of all of them.
struct BlockCosts {
  std::array<StepCost, block_count> of;
  const StepCost& operator[](BlockId id) const { return of[static_cast<std::size_t>(id)]; }
};

}  // namespace cubicbench::sim
