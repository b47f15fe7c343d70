#pragma once

#include <cstdint>
#include <vector>

#include "sim/network/topology_shape.h"

namespace cubicbench::sim {

/// Share of the domains that other jobs hold where a job is scattered or the cluster partly used.
constexpr double share_used_by_others = 0.5;

/// GPUs of the cluster that a job of `job` GPUs lies in: its own if packed, else those of others
/// too.
constexpr std::int64_t cluster_gpus(Placement placement, std::int64_t job) {
  return placement == Placement::packed
             ? job
             : static_cast<std::int64_t>(static_cast<double>(job) / (1.0 - share_used_by_others));
}

/// GPU of every rank of a job of `ranks`. Domains (nodes) are given whole and filled in order:
/// packed the first ones, scattered any in any order, partly used in order those that others leave.
/// Equal arguments give equal answers; `seed` picks among scattered or partly used clusters. Where
/// a partly used cluster is too small for the stated share of others, they hold what the job
/// leaves. Requires 1 <= ranks <= shape.gpus.
std::vector<std::int64_t> place(Placement placement, std::int64_t ranks, const TopologyShape& shape,
                                std::uint64_t seed);

}  // namespace cubicbench::sim
