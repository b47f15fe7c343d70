#include "scenarios/collective_question.h"

#include <algorithm>

#include "sim/network/tier_shares.h"

namespace cubicbench::scenarios {
namespace {

constexpr double giga = 1e9;

}  // namespace

sim::Group group_of(const AskedGroups& asked, const AskedCluster& cluster) {
  const std::int64_t most = std::min(asked.ranks, cluster.gpus_per_domain);
  const std::int64_t per_domain =
      asked.ranks_per_domain == 0 ? most : std::min(most, asked.ranks_per_domain);
  // Groups that leave room in a domain lie side by side there.
  const std::int64_t beside = std::min(asked.groups, cluster.gpus_per_domain / per_domain);
  const std::int64_t used = asked.ranks * asked.groups;
  const sim::TopologyShape shape =
      sim::topology_shape(cluster.network, std::max(cluster.gpus, used), cluster.gpus_per_domain);
  const sim::TierShares left =
      sim::tier_shares({.ranks = asked.ranks, .stride = beside}, asked.placement, shape);
  return {.ranks = asked.ranks,
          .ranks_per_node = per_domain,
          .ring_share = left.ring,
          .all_to_all_share = left.all_to_all,
          .ring_hop = left.ring_hop,
          .tree_hop = left.tree_hop,
          .stride = 1};
}

std::optional<CollectiveAnswer> answer(sim::Collective op, double size_bytes,
                                       const sim::Group& group, const sim::Network& network,
                                       std::optional<sim::Algorithm> algorithm) {
  const sim::Bytes size{size_bytes};
  const std::optional<sim::CollectiveCost> cost =
      algorithm ? sim::collective_cost(op, size, group, network, *algorithm)
                : sim::collective_cost(op, size, group, network);
  if (!cost) return std::nullopt;
  const double rate = size_bytes / cost->time.value / giga;
  return CollectiveAnswer{.op = op,
                          .size_bytes = size_bytes,
                          .cost = *cost,
                          .algbw_gb_s = rate,
                          .busbw_gb_s = rate * sim::bus_factor(op, group.ranks)};
}

}  // namespace cubicbench::scenarios
