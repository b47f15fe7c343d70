#pragma once

#include <cstddef>

#include "sim/base/units.h"
#include "sim/hardware/stack.h"
#include "sim/program/allocation_table.h"

namespace cubicbench::sim {

/// The pipeline stage, or kind of rank, whose memory is asked for.
enum class StageChoice {
  first,
  last,
  largest,  ///< whose demand peaks highest; the first of equals
};

/// What one rank of a stage holds, by what a log may count. Each is of the stage's own peak.
struct StageMemory {
  Bytes allocated;     ///< live tensors at their peak
  Bytes reserved;      ///< what the allocator holds, its cache included
  Bytes device;        ///< that, and what lies outside the allocator: context and communicators
  Bytes static_state;  ///< live tensors during the optimizer step

  bool operator==(const StageMemory&) const = default;
};

/// Which of `table.holders()` stands for the stage. Requires a holder.
std::size_t chosen_holder(const AllocationTable& table, StageChoice choice, const Stack& stack);

/// Of one stage of `table`, by the equations of peak_memory() [docs/models.md, Eq. M-1]. A holder
/// stands for several stages by its first, which needs most of them. `communicators` that a rank
/// belongs to. Requires a holder.
StageMemory stage_memory(const AllocationTable& table, StageChoice choice, double communicators,
                         const Stack& stack);

}  // namespace cubicbench::sim
