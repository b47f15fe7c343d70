#include "sim/memory/peak_memory.h"

#include <cmath>

namespace cubicbench::sim {
MemoryReport peak_memory(const AllocationTable& table, double communicators, const Device& device,
                         const Stack& stack) {
  MemoryReport report;
  Bytes start;
  const Holder* peak = &table.holders().front();
  for (const Holder& holder : table.holders()) {
    start = max(start, alive_at(table.of(holder), Moment::startup));
    for (int i = 0; i < moment_count; ++i) {
      const auto moment = static_cast<Moment>(i);
      const Bytes alive = alive_at(table.of(holder), moment);
      if (report.allocated < alive) {
        report.allocated = alive;
        report.moment = moment;
        peak = &holder;
      }
    }
  }
  report.stage = peak->first;
  for (const Allocation& allocation : table.of(*peak)) {
    if (is_alive(allocation, report.moment)) {
      report.parts[static_cast<std::size_t>(allocation.part)] += allocation.bytes;
    }
  }
  report.reserved = Bytes{std::ceil(report.allocated.value * stack.fragmentation)};
  report.reserved_at_start = Bytes{std::ceil(start.value * stack.fragmentation)};
  report.capacity = max(
      Bytes{},
      Bytes{std::floor(
          (device.memory - stack.outside_allocator - communicators * stack.communicator).value)});
  return report;
}

}  // namespace cubicbench::sim
