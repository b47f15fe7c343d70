#include "sim/memory/demand.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

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

AliveBytes alive_bytes(std::span<const Allocation> allocations) {
  AliveBytes alive;
  for (const Allocation& allocation : allocations) {
    Demands& sums = comes_and_goes(allocation.part) ? alive.passing : alive.state;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i] += is_alive(allocation, static_cast<Moment>(i)) ? allocation.bytes : Bytes{};
    }
  }
  return alive;
}

Demands demands(const AliveBytes& alive, const Stack& stack) {
  Demands all;
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = Bytes{std::ceil(demand_for(alive.state[i], alive.passing[i], stack).value)};
  }
  return all;
}

Demands demands(std::span<const Allocation> allocations, const Stack& stack) {
  return demands(alive_bytes(allocations), stack);
}

Demand peak_of(const Demands& demands) {
  const auto largest = std::ranges::max_element(demands);
  return {*largest, static_cast<Moment>(largest - demands.begin())};
}

Demand peak_demand(std::span<const Allocation> allocations, const Stack& stack) {
  return peak_of(demands(allocations, stack));
}

Bytes reserved_for(std::span<const Allocation> allocations, Bytes peak, const Stack& stack) {
  Bytes temporaries;
  for (const Allocation& allocation : allocations) {
    if (of_update(allocation)) temporaries += allocation.bytes;
  }
  return Bytes{std::ceil((peak + stack.update_uncached * temporaries).value)};
}

}  // namespace cubicbench::sim
