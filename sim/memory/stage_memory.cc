#include "sim/memory/stage_memory.h"

#include <span>

#include "sim/memory/demand.h"

namespace cubicbench::sim {
namespace {

Bytes peak_of(std::span<const Allocation> allocations) {
  Bytes peak;
  for (int i = 0; i < moment_count; ++i) {
    peak = max(peak, alive_at(allocations, static_cast<Moment>(i)));
  }
  return peak;
}

const Holder& largest_of(const AllocationTable& table, const Stack& stack) {
  const Holder* largest = &table.holders().front();
  Bytes most;
  for (const Holder& holder : table.holders()) {
    const Bytes demand = peak_demand(table.of(holder), stack).bytes;
    if (most < demand) {
      most = demand;
      largest = &holder;
    }
  }
  return *largest;
}

const Holder& chosen(const AllocationTable& table, StageChoice choice, const Stack& stack) {
  switch (choice) {
    case StageChoice::first:
      return table.holders().front();
    case StageChoice::last:
      return table.holders().back();
    case StageChoice::largest:
      break;
  }
  return largest_of(table, stack);
}

}  // namespace

StageMemory stage_memory(const AllocationTable& table, StageChoice choice, double communicators,
                         const Stack& stack) {
  const std::span<const Allocation> allocations = table.of(chosen(table, choice, stack));
  StageMemory memory;
  memory.allocated = peak_of(allocations);
  memory.reserved = reserved_for(allocations, stack);
  memory.device = memory.reserved + stack.outside_allocator + communicators * stack.communicator;
  memory.static_state = alive_at(allocations, Moment::optimizer_step);
  return memory;
}

}  // namespace cubicbench::sim
