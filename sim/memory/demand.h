#pragma once

#include <array>
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

/// At each moment of the step, in whole bytes.
using Demands = std::array<Bytes, moment_count>;

/// What is alive at each moment, by how it is lost: whole bytes, so that sums of parts of a rank's
/// allocations add up to that of all, whatever their order.
struct AliveBytes {
  Demands state{};
  Demands passing{};  ///< activations, logits, gathered weights

  bool operator==(const AliveBytes&) const = default;
};

AliveBytes alive_bytes(std::span<const Allocation> allocations);

/// What must be there for these [docs/models.md, Eq. M-1], before it is rounded up:
///
///   demand = state_fragmentation x state + fragmentation x (activations, logits, gathered weights)
constexpr Bytes demand_for(Bytes state, Bytes passing, const Stack& stack) {
  return stack.state_fragmentation * state + stack.fragmentation * passing;
}

/// The same of what is alive at each moment, rounded up.
Demands demands(const AliveBytes& alive, const Stack& stack);
Demands demands(std::span<const Allocation> allocations, const Stack& stack);

/// The first moment at which it is largest.
Demand peak_of(const Demands& demands);

Demand peak_demand(std::span<const Allocation> allocations, const Stack& stack);

/// What the allocator holds in the end [docs/models.md, Eq. M-8]: the peak of the demand, `peak`,
/// and `update_uncached` of ZeRO-1's temporaries, which fit into no block that earlier passes left.
Bytes reserved_for(std::span<const Allocation> allocations, Bytes peak, const Stack& stack);

}  // namespace cubicbench::sim
