#pragma once

#include <cstdint>
#include <vector>

#include "sim/network/topology_shape.h"

namespace cubicbench::sim {

/// Share of the domains that other jobs hold in a partly used cluster.
constexpr double share_used_by_others = 0.5;

/// GPU of every rank of a job of `ranks`. Domains (nodes) are given whole and filled in order:
/// packed the first ones, scattered any in any order, partly used in order those that others leave.
/// Equal arguments give equal answers; `seed` picks among scattered or partly used clusters. Where
/// a partly used cluster is too small for the stated share of others, they hold what the job
/// leaves. Requires 1 <= ranks <= shape.gpus.
std::vector<std::int64_t> place(Placement placement, std::int64_t ranks, const TopologyShape& shape,
                                std::uint64_t seed);

}  // namespace cubicbench::sim
