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

std::size_t largest_of(const AllocationTable& table, const Stack& stack) {
  std::size_t largest = 0;
  Bytes most;
  for (std::size_t i = 0; i < table.holders().size(); ++i) {
    const Bytes demand = peak_demand(table.of(table.holders()[i]), stack).bytes;
    if (most < demand) {
      most = demand;
      largest = i;
    }
  }
  return largest;
}

}  // namespace

std::size_t chosen_holder(const AllocationTable& table, StageChoice choice, const Stack& stack) {
  switch (choice) {
    case StageChoice::first:
      return 0;
    case StageChoice::last:
      return table.holders().size() - 1;
    case StageChoice::largest:
      break;
  }
  return largest_of(table, stack);
}

StageMemory stage_memory(const AllocationTable& table, StageChoice choice, double communicators,
                         const Stack& stack) {
  const std::span<const Allocation> allocations =
      table.of(table.holders()[chosen_holder(table, choice, stack)]);
  StageMemory memory;
  memory.allocated = peak_of(allocations);
  memory.reserved = reserved_for(allocations, peak_demand(allocations, stack).bytes, stack);
  memory.device = memory.reserved + stack.outside_allocator + communicators * stack.communicator;
  memory.static_state = alive_at(allocations, Moment::optimizer_step);
  return memory;
}

}  // namespace cubicbench::sim
