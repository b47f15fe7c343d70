#include "sim/memory/demand.h"

#include <cmath>

namespace cubicbench::sim {
namespace {

/// Blocks of many sizes that are taken and given back in every pass.
bool comes_and_goes(MemoryPart part) {
  return part == MemoryPart::activations || part == MemoryPart::logits ||
         part == MemoryPart::unsharded_units || part == MemoryPart::embedding_activations;
}

bool of_update(const Allocation& allocation) {
  return allocation.part == MemoryPart::communication_buffers &&
         allocation.alive == at(Moment::optimizer_step);
}

}  // namespace

Bytes demand_at(std::span<const Allocation> allocations, Moment moment, const Stack& stack) {
  Bytes state;
  Bytes passing;
  for (const Allocation& allocation : allocations) {
    if (is_alive(allocation, moment)) {
      (comes_and_goes(allocation.part) ? passing : state) += allocation.bytes;
    }
  }
  return Bytes{
      std::ceil((stack.state_fragmentation * state + stack.fragmentation * passing).value)};
}

Demand peak_demand(std::span<const Allocation> allocations, const Stack& stack) {
  Demand peak;
  for (int i = 0; i < moment_count; ++i) {
    const auto moment = static_cast<Moment>(i);
    const Bytes demand = demand_at(allocations, moment, stack);
    if (peak.bytes < demand) {
      peak = {demand, moment};
    }
  }
  return peak;
}

Bytes reserved_for(std::span<const Allocation> allocations, const Stack& stack) {
  Bytes temporaries;
  for (const Allocation& allocation : allocations) {
    if (of_update(allocation)) {
      temporaries += allocation.bytes;
    }
  }
  const Bytes peak = peak_demand(allocations, stack).bytes;
  return Bytes{std::ceil((peak + stack.update_uncached * temporaries).value)};
}

}  // namespace cubicbench::sim
