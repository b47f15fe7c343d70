#include "sim/network/placed_group.h"

#include "sim/network/tier_shares.h"

namespace cubicbench::sim {

Group placed(Group group, std::int64_t stride, const Cluster& cluster) {
  group.stride = stride;
  const bool has_tiers = cluster.network.tiers.front().gpus > 0;
  if (!has_tiers || nodes_of(group) == 1) return group;
  const TopologyShape shape = topology_shape(cluster.network, cluster.gpus, cluster.gpus_per_node);
  const TierShares shares =
      tier_shares({.ranks = group.ranks, .stride = stride}, cluster.placement, shape);
  group.ring_share = shares.ring;
  group.all_to_all_share = shares.all_to_all;
  group.ring_hop = shares.ring_hop;
  group.tree_hop = shares.tree_hop;
  return group;
}

}  // namespace cubicbench::sim
