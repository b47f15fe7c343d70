#pragma once

#include <cstdint>
#include <vector>

#include "sim/hardware/cluster.h"
#include "sim/network/collective.h"
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

/// `group` with what the tiers above the adapters do to it and to all groups that are alike, which
/// run at once and together hold all GPUs of the job: nothing on a fabric without tiers, or where
/// no group leaves its block. Of `group` it reads ranks and stride.
///
/// The static share of oversubscribed tiers, in closed form. A block of the cluster has b GPUs of
/// the job, and the job's part of its uplinks carries b / o adapters. X of its adapters send out at
/// once, and each keeps min(1, b / (o X)).
///
///   ring        X = min(b, max(g, s)): a group passes through its block and leaves it once, on the
///               adapters that it has on one of its domains of g GPUs; s groups lie side by side
///   all-to-all  X = b (n - m) / (n - r): every adapter sends all the time, of which that part goes
///               to members elsewhere; n members, m in the block, r in the domain
///   scattered   X = b q, q = 1 - (b'/g - 1) / (D - 1): the next domain is any other of D, of which
///               a whole block has b'/g
///
/// `job` is the shape of the cluster with the GPUs of the job. A packed job fills its blocks. Where
/// it is scattered or the cluster partly used, other jobs hold as much again, and their part of the
/// uplinks with it.
///
/// Several tiers: the least share; latencies add. Derived from the ring order by rank that NCCL
/// uses between nodes; tests count the same on the graph's links. Left out: collisions of
/// hashed flows, and that some blocks of a scattered job are worse than the mean.
Group with_tiers(Group group, Placement placement, const TopologyShape& job);

/// The same of a group whose members are `stride` ranks apart.
Group placed(Group group, std::int64_t stride, const Cluster& cluster);

}  // namespace cubicbench::sim
