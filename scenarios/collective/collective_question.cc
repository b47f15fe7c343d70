#include "scenarios/collective/collective_question.h"

#include <algorithm>

#include "sim/base/units.h"
#include "sim/network/placement.h"

namespace cubicbench::scenarios {
namespace {

constexpr double giga = 1e9;

/// The cluster as if it had only the GPUs that are used, `busy` of each domain. Blocks hold as much
/// less and keep their uplinks.
sim::TopologyShape busy_shape(const AskedCluster& cluster, std::int64_t busy, std::int64_t used) {
  const std::int64_t domain = cluster.gpus_per_domain;
  const std::int64_t gpus = std::max(cluster.gpus / domain * busy, used);
  sim::TopologyShape shape = sim::topology_shape(cluster.network, gpus, busy);
  for (sim::Tier& tier : shape.tiers) {
    tier.gpus = tier.gpus / domain * busy;
    tier.oversubscription *= sim::real(busy) / sim::real(domain);
  }
  return shape;
}

/// What a GPU has of the most crowded adapter while the first `busy` of a domain send, over what it
/// would have if all did: with fewer adapters than GPUs, few have one to themselves.
double adapter_share(const AskedCluster& cluster, std::int64_t busy) {
  if (cluster.adapters <= 0.0) return 1.0;
  const double sharers = sim::real(cluster.gpus_per_domain) / cluster.adapters;
  return std::max(1.0, sharers / sim::real(busy));
}

}  // namespace

std::int64_t ranks_per_domain(const AskedGroups& asked, const AskedCluster& cluster) {
  const std::int64_t most = std::min(asked.ranks, cluster.gpus_per_domain);
  return asked.ranks_per_domain == 0 ? most : std::min(most, asked.ranks_per_domain);
}

sim::Group group_of(const AskedGroups& asked, const AskedCluster& cluster) {
  const std::int64_t per_domain = ranks_per_domain(asked, cluster);
  // Groups that leave room in a domain lie side by side there.
  const std::int64_t beside = std::min(asked.groups, cluster.gpus_per_domain / per_domain);
  const std::int64_t busy = beside * per_domain;
  const sim::TopologyShape shape = busy_shape(cluster, busy, asked.ranks * asked.groups);
  const double adapters = adapter_share(cluster, busy);
  sim::Group group =
      sim::with_tiers({.ranks = asked.ranks, .ranks_per_node = per_domain, .stride = beside},
                      asked.placement.value_or(cluster.placement), shape);
  group.ring_share *= adapters;
  group.all_to_all_share *= adapters;
  group.stride = 1;
  return group;
}

CollectiveAnswer with_time(CollectiveAnswer answer, sim::Seconds time, std::int64_t ranks) {
  answer.cost.time = time;
  answer.algbw_gb_s = answer.size_bytes / time.value / giga;
  answer.busbw_gb_s = answer.algbw_gb_s * sim::bus_factor(answer.op, ranks);
  return answer;
}

std::optional<CollectiveAnswer> answer(sim::Collective op, double size_bytes,
                                       const sim::Group& group, const sim::Network& network,
                                       std::optional<sim::Algorithm> algorithm) {
  const sim::Bytes size{size_bytes};
  const std::optional<sim::CollectiveCost> cost =
      algorithm ? sim::collective_cost(op, size, group, network, *algorithm)
                : sim::collective_cost(op, size, group, network);
  if (!cost) return std::nullopt;
  const CollectiveAnswer answer{.op = op, .size_bytes = size_bytes, .cost = *cost};
  return with_time(answer, cost->time, group.ranks);
}

}  // namespace cubicbench::scenarios
