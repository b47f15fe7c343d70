#include "sim/network/requested_cost.h"

#include "sim/base/units.h"
#include "sim/network/domain_cost.h"
#include "sim/network/fabric_cost.h"
#include "sim/network/traffic.h"
#include "sim/network/volume.h"

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

}  // namespace cubicbench::sim
