#pragma once

#include "sim/hardware/cluster.h"
#include "sim/hardware/stack.h"
#include "sim/network/collective.h"
#include "sim/program/operation.h"

namespace cubicbench::sim {

/// Time of one operation on its own. `group` is that of its stream, for collectives.
Seconds operation_time(const Operation& op, const Group& group, const Cluster& cluster,
                       const Stack& stack);

/// (gpu^q + host^q)^(1/q) - gpu: what launching adds to a pass [docs/models.md, Eq. E-2]. Kernels
/// that wait for the host and kernels that queue mix inside a layer, hence no hard maximum.
Seconds host_excess(Seconds gpu, Seconds host, double q);

}  // namespace cubicbench::sim
