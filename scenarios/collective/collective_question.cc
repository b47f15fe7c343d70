#include "scenarios/collective/collective_question.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "sim/base/real.h"
#include "sim/network/tier_shares.h"
#include "support/input_error.h"

namespace cubicbench::scenarios {
namespace {

constexpr std::array<std::string_view, sim::collective_count> collectives{
    "all_gather", "reduce_scatter", "all_reduce", "alltoall", "broadcast", "sendrecv"};
constexpr std::array<std::string_view, sim::algorithm_count> algorithms{
    "ring",         "tree",  "nvls", "nvls_tree", "in_network", "pat", "recursive_doubling",
    "hierarchical", "direct"};
constexpr std::array<std::string_view, sim::protocol_count> protocols{"LL", "LL128", "Simple"};
constexpr std::array<std::string_view, sim::bottleneck_count> bottlenecks{
    "latency", "domain", "adapters", "upper_tiers"};

template <class Names, class Enum>
std::string_view at(const Names& names, Enum value) {
  return names[static_cast<std::size_t>(value)];
}

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

using support::InputError;

void check_full_domains(const AskedGroups& asked, const AskedCluster& cluster,
                        const GroupsWhere& where) {
  const std::int64_t per_domain = ranks_per_domain(asked, cluster);
  const std::int64_t below = asked.ranks / per_domain * per_domain;
  if (below == asked.ranks) return;
  throw InputError(where.ranks, "expected a multiple of the " + std::to_string(per_domain) +
                                    " in each domain (" + where.per_domain + "), such as " +
                                    std::to_string(below) + " or " +
                                    std::to_string(below + per_domain) + ", got " +
                                    std::to_string(asked.ranks));
}

}  // namespace

std::span<const std::string_view> collective_names() { return collectives; }
std::span<const std::string_view> algorithm_names() { return algorithms; }

std::string_view name_of(sim::Collective op) { return at(collectives, op); }
std::string_view name_of(sim::Algorithm algorithm) { return at(algorithms, algorithm); }
std::string_view name_of(sim::Protocol protocol) { return at(protocols, protocol); }
std::string_view name_of(sim::Bottleneck bottleneck) { return at(bottlenecks, bottleneck); }

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
  const sim::TierShares left = sim::tier_shares({.ranks = asked.ranks, .stride = beside},
                                                asked.placement.value_or(cluster.placement), shape);
  const double adapters = adapter_share(cluster, busy);
  return {.ranks = asked.ranks,
          .ranks_per_node = per_domain,
          .ring_share = adapters * left.ring,
          .all_to_all_share = adapters * left.all_to_all,
          .ring_hop = left.ring_hop,
          .tree_hop = left.tree_hop,
          .stride = 1};
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

void check_room(const AskedGroups& asked, const AskedCluster& cluster, const GroupsWhere& where) {
  const std::int64_t gpus = cluster.gpus == 0 ? ranks_max : cluster.gpus;
  if (asked.ranks * asked.groups > gpus) {
    throw InputError(asked.groups > 1 ? where.groups : where.ranks,
                     "expected at most " + std::to_string(gpus) + " GPUs in all, got " +
                         std::to_string(asked.ranks * asked.groups));
  }
  const std::int64_t domain = std::min(cluster.gpus_per_domain, asked.ranks);
  if (asked.ranks_per_domain > domain) {
    throw InputError(where.per_domain, "expected at most " + std::to_string(domain) + ", got " +
                                           std::to_string(asked.ranks_per_domain));
  }
  check_full_domains(asked, cluster, where);
}

}  // namespace cubicbench::scenarios
