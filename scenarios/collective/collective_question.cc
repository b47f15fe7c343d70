#include "scenarios/collective/collective_question.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>

#include "sim/base/units.h"
#include "sim/network/placement.h"
#include "support/input_error.h"
#include "support/prefixes.h"

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

using support::giga;

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

constexpr double bytes_max = 0x1p50;
constexpr std::int64_t factor_max = 1 << 20;

struct Unit {
  std::string_view letters;
  double binary, decimal;
};

constexpr std::array units{Unit{"Kk", 0x1p10, 1e3}, Unit{"Mm", 0x1p20, 1e6},
                           Unit{"Gg", 0x1p30, 1e9}, Unit{"Tt", 0x1p40, 1e12}};

[[noreturn]] void refuse(const std::string& text, const std::string& where) {
  throw InputError(where,
                   "expected a size such as 8M or 1GiB, up to 2^50 bytes, or a range such as 1K:8G "
                   "or 1K:8G:4, got \"" +
                       support::shortened(text) + "\"");
}

/// Nothing (0) where `text` is no unit.
double unit_of(std::string_view text) {
  const auto is_bytes = [](std::string_view word) { return word == "B" || word == "b"; };
  if (text.empty() || is_bytes(text)) return 1.0;
  for (const Unit& unit : units) {
    if (unit.letters.find(text.front()) == std::string_view::npos) continue;
    const std::string_view rest = text.substr(1);
    if (rest.empty() || rest == "iB" || rest == "ib") return unit.binary;
    return is_bytes(rest) ? unit.decimal : 0.0;
  }
  return 0.0;
}

template <class Value>
struct Number {
  Value value{};
  std::string_view rest;
};

template <class Value>
Number<Value> number_of(std::string_view text, const std::string& all, const std::string& where) {
  Number<Value> number;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number.value);
  if (error != std::errc{}) refuse(all, where);
  number.rest = text.substr(static_cast<std::size_t>(stop - text.data()));
  return number;
}

/// Whole bytes; what is left of a fraction is cut off, as nccl-tests does.
double bytes_of(std::string_view text, const std::string& all, const std::string& where) {
  const auto number = number_of<double>(text, all, where);
  const double bytes = std::floor(number.value * unit_of(number.rest));
  // Also refuses what is not a number.
  if (!(bytes >= 1.0 && bytes <= bytes_max)) refuse(all, where);
  return bytes;
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

std::vector<double> message_sizes(const std::string& text, const std::string& where) {
  const std::string_view all = text;
  const std::size_t first = all.find(':');
  const double begin = bytes_of(all.substr(0, first), text, where);
  if (first == std::string_view::npos) return {begin};
  const std::string_view rest = all.substr(first + 1);
  const std::size_t second = rest.find(':');
  const double end = bytes_of(rest.substr(0, second), text, where);
  double factor = 2.0;
  if (second != std::string_view::npos) {
    const auto number = number_of<std::int64_t>(rest.substr(second + 1), text, where);
    if (!number.rest.empty() || number.value < 2 || number.value > factor_max) refuse(text, where);
    factor = static_cast<double>(number.value);
  }
  if (end < begin) refuse(text, where);
  std::vector<double> sizes;
  for (double size = begin; size <= end; size *= factor) sizes.push_back(size);
  return sizes;
}

}  // namespace cubicbench::scenarios
