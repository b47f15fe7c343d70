#pragma once

#include "sim/hardware/cluster.h"
#include "sim/hardware/stack.h"
#include "sim/network/collective.h"
#include "sim/program/operation.h"
#include "sim/program/step_program.h"

namespace cubicbench::sim {

/// Time of one operation that is no collective: on its own, and beside nothing. Both engines take
/// it from here.
Seconds kernel_time(const Operation& op, const Device& device, const Stack& stack);

/// Time of one operation on its own. `group` is that of its stream, for collectives.
Seconds operation_time(const Operation& op, const Group& group, const Cluster& cluster,
                       const Stack& stack);

/// Time of the update of what a rank of a stage owns: on the device its traffic; on the host the
/// gradients' way there and the weights' way back [docs/models.md, Eq. O-2]. With an optimizer that
/// needs whole matrices, also their gathers and products (matrix_time).
Seconds update_time(const StepProgram& program, const StageRun& run, const Cluster& cluster,
                    const Stack& stack);

/// And of the experts that are stored outside of the device, by the host [docs/models.md, Eq. X-9].
Seconds stored_update_time(const StepProgram& program, const StageRun& run, const Device& device);

/// What the ranks of a group beyond a node wait for each other in one collective.
Seconds group_wait(const Group& group, const Stack& stack);

/// Launches of a block's kernels by the host, fewer when compiled. With `cuda_graphs` one launch
/// of a captured graph, however many kernels are in it [docs/models.md, Eq. E-5].
Seconds launch_time(const Block& block, bool compiled, const Device& device, const Stack& stack);

/// What the ranks of a tensor-parallel group lose in one pass over a block to the latest of them
/// [docs/models.md, Eq. E-4]: the time a host takes for a layer's forward launches spreads by a
/// standard deviation of `host_jitter`, and the block's collectives wait for the latest. Nothing
/// hides it: while one rank is late the others stand still. With `cuda_graphs` there are no
/// launches to spread.
Seconds jitter_wait(const Block& block, const Group& group, bool compiled, const Stack& stack);

/// What launching a block adds to the `gpu` time of one pass over it [docs/models.md, Eq. E-2]:
///
///   (gpu^q + host^q)^(1/q) - gpu
///
/// Kernels that wait for the host and kernels that queue mix inside a layer, hence no hard maximum.
Seconds host_wait(Seconds gpu, Seconds host, const Stack& stack);

}  // namespace cubicbench::sim
