#include "sim/memory/peak_memory.h"

#include <algorithm>
#include <cmath>

namespace cubicbench::sim {
namespace {

constexpr auto start = static_cast<std::size_t>(Moment::startup);

bool of_update(const Allocation& allocation) {
  return allocation.part == MemoryPart::communication_buffers &&
         allocation.alive == at(Moment::optimizer_step);
}

Bytes peak_of(std::span<const Allocation> allocations) {
  Bytes peak;
  for (int i = 0; i < moment_count; ++i) {
    peak = max(peak, alive_at(allocations, static_cast<Moment>(i)));
  }
  return peak;
}

std::size_t largest_of(const AllocationTable& table, const Stack& stack) {
  const auto demand_of = [&](const Holder& holder) {
    return peak_demand(table.of(holder), stack).bytes;
  };
  const auto largest = std::ranges::max_element(table.holders(), {}, demand_of);
  return static_cast<std::size_t>(largest - table.holders().begin());
}

}  // namespace

AliveBytes alive_bytes(std::span<const Allocation> allocations) {
  AliveBytes alive;
  for (const Allocation& one : allocations) alive.add(one);
  return alive;
}

Demands demands(const AliveBytes& alive, const Stack& stack) {
  Demands all;
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = Bytes{std::ceil(demand_for(alive.state[i], alive.passing[i], stack).value)};
  }
  return all;
}

Bytes start_demand(const AliveBytes& alive, const Stack& stack) {
  return Bytes{std::ceil(demand_for(alive.state[start], alive.passing[start], stack).value)};
}

Bytes peak_bytes(const AliveBytes& alive, const Stack& stack) {
  Bytes largest;  // of what is rounded up, which is the largest, rounded up
  for (std::size_t i = 0; i < alive.state.size(); ++i) {
    largest = max(largest, demand_for(alive.state[i], alive.passing[i], stack));
  }
  return Bytes{std::ceil(largest.value)};
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
    report.demand_at_start = max(report.demand_at_start, demand_of[start]);
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
