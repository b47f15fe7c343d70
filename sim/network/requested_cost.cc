#include "sim/network/requested_cost.h"

#include <bit>

#include "sim/base/check.h"
#include "sim/network/domain_cost.h"
#include "sim/network/traffic.h"

namespace cubicbench::sim {
namespace {

/// Steps on the critical path: inside domains and between them.
struct Steps {
  double inside = 0.0;
  double between = 0.0;
};

Steps steps_of(Collective op, Algorithm algorithm, const Group& group) {
  const double rounds = op == Collective::all_reduce ? 2.0 : 1.0;
  const std::int64_t r = group.ranks_per_node;
  const std::int64_t nodes = nodes_of(group);
  switch (algorithm) {
    case Algorithm::tree:
      return {2.0 * doublings(r), 2.0 * doublings(nodes)};
    case Algorithm::pat:
      return {0.0, doublings(group.ranks)};
    case Algorithm::recursive_doubling:
      return {doublings(r), doublings(nodes)};
    case Algorithm::in_network:
      return {2.0 * real(r - 1), 2.0};
    case Algorithm::hierarchical:
      if (op == Collective::all_to_all) return {1.0, 1.0};
      return {rounds * real(r - 1), rounds * real(nodes - 1)};
    case Algorithm::direct:
      return {nodes == 1 ? rounds : 0.0, nodes == 1 ? 0.0 : rounds};
    case Algorithm::nvls:
      return {rounds, 0.0};
    case Algorithm::ring:
    case Algorithm::nvls_tree:
      break;
  }
  return {};
}

/// Bytes that the links of a rank and the adapters of a node carry, one direction.
struct Busiest {
  Bytes inside, between;
};

Busiest busiest_of(Collective op, Algorithm algorithm, Bytes size, const Group& group) {
  const Volume sent = volume(op, algorithm, size, group);
  // To and from switches of the fabric a byte passes one adapter, between nodes two.
  const double ends = algorithm == Algorithm::in_network ? 0.5 : 1.0;
  const Bytes from_ranks = ends * sent.across;
  const Bytes inside = max(sent.ranks - from_ranks, sent.switches);
  return {inside / real(group.ranks), from_ranks / real(nodes_of(group))};
}

/// Messages, rings and trees between nodes have costs of their own, and so has a torus.
bool is_way(Collective op, Algorithm algorithm, const Group& group, const Network& network) {
  if (op == Collective::send_receive || network.domain == DomainKind::torus) return false;
  if (op == Collective::broadcast && algorithm == Algorithm::direct) return false;
  if (algorithm == Algorithm::ring || algorithm == Algorithm::nvls_tree) return false;
  if (algorithm == Algorithm::tree && nodes_of(group) > 1) return false;
  if (algorithm == Algorithm::hierarchical && nodes_of(group) == 1) return false;
  if (algorithm == Algorithm::nvls && !reduces_in_switch(group.ranks, network)) return false;
  return has_traffic(op, algorithm, group);
}

/// In units of the collective's size.
struct Multiples {
  double ranks = 0.0;
  double switches = 0.0;
  double across = 0.0;
};

/// The letters of the table.
struct Letters {
  explicit Letters(const Group& group)
      : n(static_cast<double>(group.ranks)),
        r(static_cast<double>(group.ranks_per_node)),
        nodes(static_cast<double>(nodes_of(group))) {
    const std::int64_t full = group.ranks / group.ranks_per_node;
    const std::int64_t rest = group.ranks % group.ranks_per_node;
    const auto squares =
        static_cast<double>(full * group.ranks_per_node * group.ranks_per_node + rest * rest);
    elsewhere = n - squares / n;
    first = nodes > 1.0 ? r : n;
    p = static_cast<double>(std::bit_floor(static_cast<std::uint64_t>(group.ranks)));
    levels = static_cast<double>(std::bit_width(static_cast<std::uint64_t>(group.ranks)) - 1);
    inner_levels =
        static_cast<double>(std::bit_width(static_cast<std::uint64_t>(group.ranks_per_node)) - 1);
  }

  double n, r, nodes;
  double elsewhere;                ///< c: ranks that are not on the domain of a rank, times n
  double first;                    ///< ranks of the first domain
  double p, levels, inner_levels;  ///< log2 of p and of r, rounded down
};

Multiples ring(Collective op, const Letters& l) {
  const double around = l.nodes > 1.0 ? l.nodes : 0.0;
  const double once = (l.n - 1.0) / l.n;
  switch (op) {
    case Collective::all_reduce:
      return {2.0 * (l.n - 1.0), 0.0, 2.0 * once * around};
    case Collective::all_gather:
    case Collective::reduce_scatter:
      return {l.n - 1.0, 0.0, once * around};
    case Collective::broadcast:
      return {l.n - 1.0, 0.0, l.nodes - 1.0};
    case Collective::send_receive:
      return {l.n, 0.0, around};
    case Collective::all_to_all:
      break;
  }
  return {};
}

Multiples nvls(Collective op, const Letters& l) {
  switch (op) {
    case Collective::all_gather:
      return {1.0, l.n, 0.0};
    case Collective::reduce_scatter:
      return {l.n, 1.0, 0.0};
    default:
      return {l.n + 1.0, l.n + 1.0, 0.0};
  }
}

Multiples recursive_doubling(Collective op, const Letters& l) {
  const bool is_spread = l.nodes > 1.0;
  if (op != Collective::all_reduce) return {l.n - 1.0, 0.0, is_spread ? l.n - l.r : 0.0};
  const double extra = 2.0 * (l.n - l.p);
  return {l.p * l.levels + extra, 0.0, is_spread ? l.p * (l.levels - l.inner_levels) + extra : 0.0};
}

Multiples hierarchical(Collective op, const Letters& l) {
  if (op == Collective::all_to_all) {
    const double across = l.n * (l.nodes - 1.0) / l.nodes;
    return {l.n * (l.r - 1.0) / l.r + across, 0.0, across};
  }
  const double times = op == Collective::all_reduce ? 2.0 : 1.0;
  return {times * (l.n - 1.0), 0.0, times * (l.nodes - 1.0)};
}

Multiples direct(Collective op, const Letters& l) {
  if (op == Collective::send_receive) return ring(op, l);
  if (op == Collective::broadcast) return {l.n - 1.0, 0.0, l.n - l.first};
  const double times = op == Collective::all_reduce ? 2.0 : 1.0;
  return {times * (l.n - 1.0), 0.0, times * l.elsewhere};
}

Multiples multiples(Collective op, Algorithm algorithm, const Letters& l) {
  switch (algorithm) {
    case Algorithm::ring:
      return ring(op, l);
    case Algorithm::tree:
      return {2.0 * (l.n - 1.0), 0.0, 2.0 * (l.nodes - 1.0)};
    case Algorithm::nvls:
      return nvls(op, l);
    case Algorithm::nvls_tree:
      return {l.nodes * (l.r + 1.0) + 2.0 * (l.nodes - 1.0), l.nodes * (l.r + 1.0),
              2.0 * (l.nodes - 1.0)};
    case Algorithm::in_network:
      return {l.nodes * (2.0 * l.r - 1.0), l.nodes, 2.0 * l.nodes};
    case Algorithm::pat:
      return {l.n - 1.0, 0.0, l.n - 1.0};
    case Algorithm::recursive_doubling:
      return recursive_doubling(op, l);
    case Algorithm::hierarchical:
      return hierarchical(op, l);
    case Algorithm::direct:
      return direct(op, l);
  }
  return {};
}

}  // namespace

std::optional<Candidate> requested_cost(Collective op, Algorithm algorithm, Bytes size,
                                        const Group& group, const Network& network) {
  if (!is_way(op, algorithm, group, network)) return std::nullopt;
  const bool in_switch = algorithm == Algorithm::nvls;
  const FabricFamily& family =
      op == Collective::all_reduce ? network.inter.reduce : network.inter.gather;
  const bool is_spread = nodes_of(group) > 1;
  const Steps steps = steps_of(op, algorithm, group);
  const RingProtocol& inside = network.intra.simple;
  const Busiest moved = busiest_of(op, algorithm, size, group);

  Candidate candidate{.algorithm = algorithm};
  const double fill = fill_of(size, 1.0);
  const Seconds between = steps.between * (network_step + group.tree_hop);
  candidate.start = network.collective_overhead +
                    network.intra_delay * (steps.inside * inside.step) +
                    (is_spread ? network.inter_delay * (family.base + fill * family.fill + between)
                               : network.intra_delay * (inside.base + fill * inside.fill));
  const BytesPerSecond links =
      in_switch ? switch_rate(network) : ring_rate(group.ranks_per_node, group.stride, network);
  candidate.domain = moved.inside / links;
  if (is_spread) {
    const double share = group.ring_share * network.inter_efficiency * family.share;
    candidate.adapters =
        moved.between / ((share * real(group.ranks_per_node)) * network.inter_bandwidth);
    candidate.outside = group.ring_share < 1.0 ? Bottleneck::upper_tiers : Bottleneck::adapters;
  }
  if (algorithm == Algorithm::hierarchical) {  // phases follow on one another
    const Seconds shorter = min(candidate.domain, candidate.adapters);
    (candidate.domain < candidate.adapters ? candidate.adapters : candidate.domain) += shorter;
  }
  return candidate;
}

Volume volume(Collective op, Algorithm algorithm, Bytes size, const Group& group) {
  SIM_ASSERT(has_traffic(op, algorithm, group), op, algorithm, group.ranks);
  if (group.ranks < 2) return {};
  const Multiples of = multiples(op, algorithm, Letters(group));
  return {of.ranks * size, of.switches * size, of.across * size};
}

}  // namespace cubicbench::sim
