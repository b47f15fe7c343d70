#include "sim/memory/peak_memory.h"

#include <cmath>
#include <cstddef>

#include "sim/memory/demand.h"

namespace cubicbench::sim {

Bytes allocator_capacity(const Device& device, double communicators, const Stack& stack) {
  const Bytes left = device.memory - stack.outside_allocator - communicators * stack.communicator;
  return max(Bytes{}, Bytes{std::floor(left.value)});
}

MemoryReport peak_memory(const AllocationTable& table, double communicators, const Device& device,
                         const Stack& stack) {
  MemoryReport report;
  const Holder* peak = &table.holders().front();
  for (const Holder& holder : table.holders()) {
    const Demands demand_of = demands(table.of(holder), stack);
    report.demand_at_start =
        max(report.demand_at_start, demand_of[static_cast<std::size_t>(Moment::startup)]);
    const Demand demand = peak_of(demand_of);
    if (report.demand < demand.bytes) {
      report.demand = demand.bytes;
      report.moment = demand.moment;
      peak = &holder;
    }
  }
  report.stage = peak->first;
  for (const Allocation& allocation : table.of(*peak)) {
    if (is_alive(allocation, report.moment)) {
      report.parts[static_cast<std::size_t>(allocation.part)] += allocation.bytes;
      report.allocated += allocation.bytes;
    }
  }
  report.reserved = reserved_for(table.of(*peak), report.demand, stack);
  report.capacity = allocator_capacity(device, communicators, stack);
  if (report.demand <= report.capacity) {  // a cache gives way: it holds no more than there is
    report.reserved = min(report.reserved, report.capacity);
  }
  return report;
}

}  // namespace cubicbench::sim
