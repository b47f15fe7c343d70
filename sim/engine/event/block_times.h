#pragma once

#include <cstdint>
#include <span>

#include "sim/engine/event/step_script.h"
#include "sim/hardware/cluster.h"
#include "sim/hardware/stack.h"
#include "sim/plan/device_mesh.h"
#include "sim/plan/plan.h"
#include "sim/program/operation.h"

namespace cubicbench::sim {

/// Where a block runs.
struct BlockPlace {
  const Plan& plan;
  const Cluster& cluster;
  const Stack& stack;
  const DeviceMesh& mesh;
};

/// What one pass over the operations of a block takes on a rank that nothing holds up.
///
/// Traffic of the tensor-parallel group is in two parts: a share that the stack hides runs beside
/// the kernels, the rest after them. Ranks of a group beyond a node wait for each other in every
/// collective [docs/models.md, Eq. C-5]: that is latency. Tokens travel to their experts and back
/// around the experts' kernels (see add_legs), in a `pair` of passes beside all kernels.
BlockTimes block_times(const char* name, const Block& block, std::span<const Operation> operations,
                       const BlockPlace& on, bool pair = false);

/// `share` of one pass over `whole`, which is row `row`.
BlockTimes part_of(const BlockTimes& whole, std::uint8_t row, double share);

}  // namespace cubicbench::sim
