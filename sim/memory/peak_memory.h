#pragma once

#include "sim/hardware/device.h"
#include "sim/hardware/stack.h"
#include "sim/memory/memory_report.h"
#include "sim/program/allocation_table.h"

namespace cubicbench::sim {

/// What the allocator of a rank in `communicators` can get: the device less CUDA's context and the
/// buffers of NCCL, in whole bytes.
Bytes allocator_capacity(const Device& device, double communicators, const Stack& stack);

/// The holder and the moment at which most is needed [docs/models.md, Eq. M-1]:
///
///   demand    = max over holders and moments of what is alive and is lost beside it (demand_at)
///   allocated = what is alive there and then
///   capacity  = device memory - context - communicators
///
/// `communicators` that a rank belongs to. Requires a holder.
MemoryReport peak_memory(const AllocationTable& table, double communicators, const Device& device,
                         const Stack& stack);

}  // namespace cubicbench::sim
