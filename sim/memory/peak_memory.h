#pragma once

#include "sim/hardware/device.h"
#include "sim/hardware/stack.h"
#include "sim/memory/memory_report.h"
#include "sim/program/step_program.h"

namespace cubicbench::sim {

/// Peak over stages and moments of the allocations in `program` [docs/models.md, Eq. M-1]:
///
///   allocated = max over stages and moments of the sum of what is alive
///   reserved  = allocated x fragmentation
///   capacity  = device memory - context - communicators
MemoryReport peak_memory(const StepProgram& program, const Device& device, const Stack& stack);

}  // namespace cubicbench::sim
