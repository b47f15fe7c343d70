#include "sim/network/placement.h"

#include <algorithm>
#include <numeric>

#include "sim/base/check.h"
#include "sim/base/philox.h"
#include "sim/base/units.h"

namespace cubicbench::sim {
namespace {

/// 0 to domains - 1 in an order that depends on `seed`.
std::vector<std::int64_t> shuffled(std::int64_t domains, std::uint64_t seed) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(domains));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t left = order.size(); left > 1; --left) {
    std::swap(order[left - 1], order[mix(mix(seed) ^ left) % left]);
  }
  return order;
}

/// The domains of a job of `needed`, in the order of its ranks.
std::vector<std::int64_t> job_domains(Placement placement, std::int64_t needed,
                                      const TopologyShape& shape, std::uint64_t seed) {
  // The last domain may be smaller: only a job that needs all of them gets it, and as its last.
  const std::int64_t all = domains_of(shape);
  const std::int64_t whole = shape.gpus / shape.domain_gpus;
  const bool takes_rest = needed > whole;
  std::vector<std::int64_t> domains(static_cast<std::size_t>(whole));
  std::iota(domains.begin(), domains.end(), 0);
  if (placement != Placement::packed) domains = shuffled(whole, seed);
  if (placement == Placement::partly_used) {
    const auto others =
        static_cast<std::int64_t>(share_used_by_others * static_cast<double>(whole));
    const std::int64_t free = std::max(std::min(needed, whole), whole - others);
    domains.resize(static_cast<std::size_t>(free));
    std::sort(domains.begin(), domains.end());
  }
  domains.resize(static_cast<std::size_t>(std::min(needed, whole)));
  if (takes_rest) domains.push_back(all - 1);
  return domains;
}

/// What leaves one block: adapters that send out at once, over those of the job in the block, and
/// the part of steps between domains that leaves it.
struct Leaving {
  double ring = 0.0;
  double all_to_all = 0.0;
  double ring_steps = 0.0;
  double tree_steps = 0.0;
};

std::int64_t members(std::int64_t gpus, const Group& group) {
  return std::clamp<std::int64_t>(gpus / group.stride, 1, group.ranks);
}

/// Domains in order, of which a block has `held` GPUs of the job.
Leaving leaving_in_order(const Group& group, std::int64_t held, std::int64_t domain) {
  const std::int64_t extent = group.ranks * group.stride;
  if (extent <= held && held % extent == 0) return {};
  const std::int64_t n = group.ranks;
  const std::int64_t m = members(held, group);
  const std::int64_t r = members(domain, group);
  if (n == r) return {};
  Leaving leaving;
  leaving.ring = real(std::min(held, std::max(domain, group.stride))) / real(held);
  leaving.all_to_all = real(n - m) / real(n - r);
  const std::int64_t blocks = (n + m - 1) / m;
  const std::int64_t nodes = (n + r - 1) / r;
  leaving.ring_steps = std::min(1.0, real(blocks) / real(nodes));
  leaving.tree_steps = doublings(blocks) / doublings(nodes);
  return leaving;
}

/// Domains in any order: each step may lead anywhere.
Leaving leaving_at_random(const Group& group, std::int64_t block, const TopologyShape& cluster) {
  const std::int64_t domain = cluster.domain_gpus;
  if (group.ranks == members(domain, group)) return {};
  const double near =
      real(block / domain - 1) / real(std::max<std::int64_t>(1, domains_of(cluster) - 1));
  const double elsewhere = std::max(0.0, 1.0 - near);
  return {elsewhere, elsewhere, elsewhere, elsewhere};
}

Leaving leaving_block(const Group& group, Placement placement, std::int64_t block,
                      const TopologyShape& cluster) {
  const std::int64_t domain = cluster.domain_gpus;
  if (placement == Placement::packed) return leaving_in_order(group, block, domain);
  if (placement == Placement::scattered) return leaving_at_random(group, block, cluster);
  const double held = (1.0 - share_used_by_others) * real(block / domain);
  const auto domains = std::max<std::int64_t>(1, static_cast<std::int64_t>(held));
  return leaving_in_order(group, domains * domain, domain);
}

double share(double oversubscription, double leaving) {
  const double load = oversubscription * leaving;
  return load > 1.0 ? 1.0 / load : 1.0;
}

}  // namespace

std::vector<std::int64_t> place(Placement placement, std::int64_t ranks, const TopologyShape& shape,
                                std::uint64_t seed) {
  SIM_ASSERT(ranks >= 1 && ranks <= shape.gpus, ranks, shape.gpus);
  const std::int64_t needed = (ranks + shape.domain_gpus - 1) / shape.domain_gpus;
  std::vector<std::int64_t> gpus;
  gpus.reserve(static_cast<std::size_t>(ranks));
  for (const std::int64_t domain : job_domains(placement, needed, shape, seed)) {
    const std::int64_t first = domain * shape.domain_gpus;
    const std::int64_t left = ranks - static_cast<std::int64_t>(gpus.size());
    for (std::int64_t i = 0; i < std::min(shape.domain_gpus, left); ++i) gpus.push_back(first + i);
  }
  return gpus;
}

Group with_tiers(Group group, Placement placement, const TopologyShape& job) {
  group.ring_share = group.all_to_all_share = 1.0;
  group.ring_hop = group.tree_hop = {};
  if (group.ranks < 2) return group;
  TopologyShape cluster = job;
  cluster.gpus = cluster_gpus(placement, job.gpus);
  const auto tiers = static_cast<std::size_t>(tiers_used(cluster));
  for (std::size_t i = 0; i < tiers; ++i) {
    const Tier& tier = cluster.tiers[i];
    const Leaving leaving = leaving_block(group, placement, tier.gpus, cluster);
    group.ring_share = std::min(group.ring_share, share(tier.oversubscription, leaving.ring));
    group.all_to_all_share =
        std::min(group.all_to_all_share, share(tier.oversubscription, leaving.all_to_all));
    group.ring_hop += leaving.ring_steps * tier.latency;
    group.tree_hop += leaving.tree_steps * tier.latency;
  }
  return group;
}

Group placed(Group group, std::int64_t stride, const Cluster& cluster) {
  group.stride = stride;
  const bool has_tiers = cluster.network.tiers.front().gpus > 0;
  if (!has_tiers || nodes_of(group) == 1) return group;
  return with_tiers(group, cluster.placement,
                    topology_shape(cluster.network, cluster.gpus, cluster.gpus_per_node));
}

}  // namespace cubicbench::sim
