#pragma once

#include <span>

#include "sim/base/units.h"
#include "sim/hardware/stack.h"
#include "sim/program/allocation_table.h"

namespace cubicbench::sim {

/// What the allocator must get from the device, fragmentation included, and when that is most.
struct Demand {
  Bytes bytes;
  Moment moment = Moment::startup;

  bool operator==(const Demand&) const = default;
};

/// For what is alive at `moment` [docs/models.md, Eq. M-1], in whole bytes, rounded up:
///
///   demand = state_fragmentation x state + fragmentation x (activations, logits, gathered weights)
Bytes demand_at(std::span<const Allocation> allocations, Moment moment, const Stack& stack);

/// The first moment at which it is largest.
Demand peak_demand(std::span<const Allocation> allocations, const Stack& stack);

/// What the allocator holds in the end [docs/models.md, Eq. M-8]: the peak of the demand and
/// `update_uncached` of ZeRO-1's temporaries, which fit into no block that earlier passes left.
Bytes reserved_for(std::span<const Allocation> allocations, const Stack& stack);

}  // namespace cubicbench::sim
