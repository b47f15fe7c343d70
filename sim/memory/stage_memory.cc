#include "sim/memory/stage_memory.h"

#include <cmath>
#include <span>

namespace cubicbench::sim {
namespace {

Bytes peak_of(std::span<const Allocation> allocations) {
  Bytes peak;
  for (int i = 0; i < moment_count; ++i) {
    peak = max(peak, alive_at(allocations, static_cast<Moment>(i)));
  }
  return peak;
}

const Holder& largest_of(const AllocationTable& table) {
  const Holder* largest = &table.holders().front();
  for (const Holder& holder : table.holders()) {
    if (peak_of(table.of(*largest)) < peak_of(table.of(holder))) {
      largest = &holder;
    }
  }
  return *largest;
}

const Holder& chosen(const AllocationTable& table, StageChoice choice) {
  switch (choice) {
    case StageChoice::first:
      return table.holders().front();
    case StageChoice::last:
      return table.holders().back();
    case StageChoice::largest:
      break;
  }
  return largest_of(table);
}

}  // namespace

StageMemory stage_memory(const AllocationTable& table, StageChoice choice, double communicators,
                         const Stack& stack) {
  const std::span<const Allocation> allocations = table.of(chosen(table, choice));
  StageMemory memory;
  memory.allocated = peak_of(allocations);
  memory.reserved = Bytes{std::ceil(memory.allocated.value * stack.fragmentation)};
  memory.device = memory.reserved + stack.outside_allocator + communicators * stack.communicator;
  memory.static_state = alive_at(allocations, Moment::optimizer_step);
  return memory;
}

}  // namespace cubicbench::sim
