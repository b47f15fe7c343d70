#include "sim/memory/peak_memory.h"

#include <cmath>

namespace cubicbench::sim {
namespace {

bool is_alive(const Allocation& allocation, int moment) {
  return ((allocation.alive >> moment) & 1) != 0;
}

Bytes alive_at(const StepProgram& program, const StageRun& run, int moment) {
  Bytes sum;
  for (std::uint32_t i = run.allocations_begin; i < run.allocations_end; ++i) {
    if (is_alive(program.allocations[i], moment)) {
      sum += program.allocations[i].bytes;
    }
  }
  return sum;
}

/// The world's communicator, and one for each dimension in use.
double communicators(const StepProgram& program) {
  const DeviceMesh& mesh = program.mesh;
  const auto in_use = [](const Group& group) { return group.ranks > 1 ? 1.0 : 0.0; };
  return 1.0 + in_use(mesh.tensor) + in_use(mesh.context) + in_use(mesh.replica) +
         (program.stages > 1.0 ? 1.0 : 0.0);
}

}  // namespace

MemoryReport peak_memory(const StepProgram& program, const Device& device, const Stack& stack) {
  MemoryReport report;
  Bytes start;
  const StageRun* peak = &program.runs.front();
  for (const StageRun& run : program.runs) {
    start = max(start, alive_at(program, run, static_cast<int>(Moment::startup)));
    for (int moment = 0; moment < moment_count; ++moment) {
      const Bytes alive = alive_at(program, run, moment);
      if (report.allocated < alive) {
        report.allocated = alive;
        report.moment = static_cast<Moment>(moment);
        peak = &run;
      }
    }
  }
  report.stage = peak->first;
  for (std::uint32_t i = peak->allocations_begin; i < peak->allocations_end; ++i) {
    const Allocation& allocation = program.allocations[i];
    if (is_alive(allocation, static_cast<int>(report.moment))) {
      report.parts[static_cast<std::size_t>(allocation.part)] += allocation.bytes;
    }
  }
  report.reserved = Bytes{std::ceil(report.allocated.value * stack.fragmentation)};
  report.reserved_at_start = Bytes{std::ceil(start.value * stack.fragmentation)};
  report.capacity = max(Bytes{}, Bytes{std::floor((device.memory - stack.outside_allocator -
                                                   communicators(program) * stack.communicator)
                                                      .value)});
  return report;
}

}  // namespace cubicbench::sim
