#pragma once

#include <cstdint>

#include "sim/hardware/cluster.h"
#include "sim/network/group.h"
#include "sim/network/placement.h"
#include "sim/network/topology_shape.h"

namespace cubicbench::sim {

/// Groups that are alike and run at once, such as all data-parallel groups of a job: `ranks`
/// members each, `stride` ranks between one and the next. Together they hold all GPUs of the job.
struct GroupSpread {
  std::int64_t ranks = 1;
  std::int64_t stride = 1;
};

/// What the tiers above the adapters do to such groups. All ones and zeros on a fabric without
/// tiers, or where no group leaves its block.
struct TierShares {
  double ring = 1.0;        ///< of an adapter's rate that is left to rings, trees and neighbours
  double all_to_all = 1.0;  ///< the same, of an all-to-all
  Seconds ring_hop{};       ///< what tiers add to a step of a ring between domains, on average
  Seconds tree_hop{};       ///< the same of a step of a binary tree between domains

  bool operator==(const TierShares&) const = default;
};

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
TierShares tier_shares(const GroupSpread& groups, Placement placement, const TopologyShape& job);

/// `group` with what its place on the cluster's tiers does to it. Its members are `stride` ranks
/// apart, and all groups that are alike run at once: together they hold the job's GPUs.
Group placed(Group group, std::int64_t stride, const Cluster& cluster);

}  // namespace cubicbench::sim
