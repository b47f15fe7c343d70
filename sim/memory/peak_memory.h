#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "sim/base/units.h"
#include "sim/hardware/device.h"
#include "sim/hardware/stack.h"
#include "sim/memory/memory_report.h"
#include "sim/program/alive_bytes.h"
#include "sim/program/allocation_table.h"

namespace cubicbench::sim {

/// What the allocator must get from the device, fragmentation included, and when that is most.
struct Demand {
  Bytes bytes;
  Moment moment = Moment::startup;
};

/// In whole bytes.
using Demands = BytesByMoment;

AliveBytes alive_bytes(std::span<const Allocation> allocations);

/// That of both parts of a rank's allocations.
constexpr AliveBytes together(AliveBytes alive, const AliveBytes& more) {
  for (std::size_t i = 0; i < alive.state.size(); ++i) {
    alive.state[i] += more.state[i];
    alive.passing[i] += more.passing[i];
  }
  return alive;
}

/// What must be there for these [docs/models.md, Eq. M-1], before it is rounded up:
///
///   demand = state_fragmentation x state + fragmentation x (activations, logits, gathered weights)
constexpr Bytes demand_for(Bytes state, Bytes passing, const Stack& stack) {
  return stack.state_fragmentation * state + stack.fragmentation * passing;
}

/// The same of what is alive at each moment, rounded up.
Demands demands(const AliveBytes& alive, const Stack& stack);
Demands demands(std::span<const Allocation> allocations, const Stack& stack);

/// Of these, the one before the first step and the largest.
Bytes start_demand(const AliveBytes& alive, const Stack& stack);
Bytes peak_bytes(const AliveBytes& alive, const Stack& stack);

/// The first moment at which it is largest.
Demand peak_of(const Demands& demands);

Demand peak_demand(std::span<const Allocation> allocations, const Stack& stack);

/// What the allocator holds in the end [docs/models.md, Eq. M-8]: the peak of the demand, `peak`,
/// and `update_uncached` of ZeRO-1's temporaries, which fit into no block that earlier passes left.
Bytes reserved_for(std::span<const Allocation> allocations, Bytes peak, const Stack& stack);

/// What the allocator of a rank in `communicators` can get: the device less CUDA's context and the
/// buffers of NCCL, in whole bytes.
Bytes allocator_capacity(const Device& device, double communicators, const Stack& stack);

/// The holder and the moment at which most is needed [docs/models.md, Eq. M-1]:
///
///   demand    = max over holders and moments of what is alive and is lost beside it (demand_for)
///   allocated = what is alive there and then
///   capacity  = device memory - context - communicators
///
/// `communicators` that a rank belongs to. Requires a holder.
MemoryReport peak_memory(const AllocationTable& table, double communicators, const Device& device,
                         const Stack& stack);

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
