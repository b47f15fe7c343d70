#pragma once

#include "sim/hardware/device.h"
#include "sim/hardware/stack.h"
#include "sim/memory/memory_report.h"
#include "sim/program/allocation_table.h"

namespace cubicbench::sim {

/// Peak over holders and moments of what they allocate [docs/models.md, Eq. M-1]:
///
///   allocated = max over holders and moments of the sum of what is alive
///   reserved  = allocated x fragmentation
///   capacity  = device memory - context - communicators
///
/// `communicators` that a rank belongs to. Requires a holder.
MemoryReport peak_memory(const AllocationTable& table, double communicators, const Device& device,
                         const Stack& stack);

}  // namespace cubicbench::sim
