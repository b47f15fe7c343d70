#pragma once

#include <cstdint>

#include "sim/hardware/cluster.h"
#include "sim/network/group.h"

namespace cubicbench::sim {

/// `group` with what its place on the cluster's tiers does to it. Its members are `stride` ranks
/// apart, and all groups that are alike run at once: together they hold the job's GPUs.
Group placed(Group group, std::int64_t stride, const Cluster& cluster);

}  // namespace cubicbench::sim
