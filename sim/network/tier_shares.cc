#include "sim/network/tier_shares.h"

#include <algorithm>

#include "sim/base/units.h"

namespace cubicbench::sim {
namespace {

/// What leaves one block: adapters that send out at once, over those of the job in the block, and
/// the part of steps between domains that leaves it.
struct Leaving {
  double ring = 0.0;
  double all_to_all = 0.0;
  double ring_steps = 0.0;
  double tree_steps = 0.0;
};

std::int64_t members(std::int64_t gpus, const GroupSpread& groups) {
  return std::clamp<std::int64_t>(gpus / groups.stride, 1, groups.ranks);
}

/// Domains in order, of which a block has `held` GPUs of the job.
Leaving leaving_in_order(const GroupSpread& groups, std::int64_t held, std::int64_t domain) {
  const std::int64_t extent = groups.ranks * groups.stride;
  if (extent <= held && held % extent == 0) return {};
  const std::int64_t n = groups.ranks;
  const std::int64_t m = members(held, groups);
  const std::int64_t r = members(domain, groups);
  if (n == r) return {};
  Leaving leaving;
  leaving.ring = real(std::min(held, std::max(domain, groups.stride))) / real(held);
  leaving.all_to_all = real(n - m) / real(n - r);
  const std::int64_t blocks = (n + m - 1) / m;
  const std::int64_t nodes = (n + r - 1) / r;
  leaving.ring_steps = std::min(1.0, real(blocks) / real(nodes));
  leaving.tree_steps = doublings(blocks) / doublings(nodes);
  return leaving;
}

/// Domains in any order: each step may lead anywhere.
Leaving leaving_at_random(const GroupSpread& groups, std::int64_t block,
                          const TopologyShape& cluster) {
  const std::int64_t domain = cluster.domain_gpus;
  if (groups.ranks == members(domain, groups)) return {};
  const double near =
      real(block / domain - 1) / real(std::max<std::int64_t>(1, domains_of(cluster) - 1));
  const double elsewhere = std::max(0.0, 1.0 - near);
  return {elsewhere, elsewhere, elsewhere, elsewhere};
}

Leaving leaving_block(const GroupSpread& groups, Placement placement, std::int64_t block,
                      const TopologyShape& cluster) {
  const std::int64_t domain = cluster.domain_gpus;
  switch (placement) {
    case Placement::packed:
      return leaving_in_order(groups, block, domain);
    case Placement::scattered:
      return leaving_at_random(groups, block, cluster);
    case Placement::partly_used: {
      const double held = (1.0 - share_used_by_others) * real(block / domain);
      const auto domains = std::max<std::int64_t>(1, static_cast<std::int64_t>(held));
      return leaving_in_order(groups, domains * domain, domain);
    }
  }
  return {};
}

double share(double oversubscription, double leaving) {
  const double load = oversubscription * leaving;
  return load > 1.0 ? 1.0 / load : 1.0;
}

}  // namespace

TierShares tier_shares(const GroupSpread& groups, Placement placement, const TopologyShape& job) {
  TierShares shares;
  if (groups.ranks < 2) return shares;
  TopologyShape cluster = job;
  cluster.gpus = cluster_gpus(placement, job.gpus);
  const auto tiers = static_cast<std::size_t>(tiers_used(cluster));
  for (std::size_t i = 0; i < tiers; ++i) {
    const Tier& tier = cluster.tiers[i];
    const Leaving leaving = leaving_block(groups, placement, tier.gpus, cluster);
    shares.ring = std::min(shares.ring, share(tier.oversubscription, leaving.ring));
    shares.all_to_all =
        std::min(shares.all_to_all, share(tier.oversubscription, leaving.all_to_all));
    shares.ring_hop += leaving.ring_steps * tier.latency;
    shares.tree_hop += leaving.tree_steps * tier.latency;
  }
  return shares;
}

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
