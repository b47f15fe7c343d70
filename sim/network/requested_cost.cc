#include "sim/network/requested_cost.h"

#include "sim/base/units.h"
#include "sim/network/domain_cost.h"
#include "sim/network/traffic.h"

namespace cubicbench::sim {
namespace {

/// Messages have costs of their own, and so has a torus.
std::optional<CriticalPath> path_of(const CollectiveCall& call, Algorithm algorithm) {
  const CollectiveAlgorithm& parts = parts_of(algorithm);
  if (call.op == Collective::send_receive || call.network.domain == DomainKind::torus) return {};
  if (parts.path == nullptr || !parts.is_way(call.op, call.group)) return {};
  return parts.path(call);
}

/// Bytes that the links of a rank and the adapters of a node carry, one direction.
struct Busiest {
  Bytes inside, between;
};

Busiest busiest_of(const CollectiveCall& call, Algorithm algorithm, const CriticalPath& path) {
  const Volume sent = volume(call.op, algorithm, call.size, call.group);
  const Bytes from_ranks = path.from_ranks * sent.across;
  const Bytes inside = max(sent.ranks - from_ranks, sent.switches);
  return {inside / real(call.group.ranks), from_ranks / call.nodes};
}

}  // namespace

std::optional<Candidate> requested_cost(Collective op, Algorithm algorithm, Bytes size,
                                        const Group& group, const Network& network) {
  const CollectiveCall call = call_of(op, size, group, network);
  const std::optional<CriticalPath> path = path_of(call, algorithm);
  if (!path) return std::nullopt;
  const FabricFamily& family =
      op == Collective::all_reduce ? network.inter.reduce : network.inter.gather;
  const RingProtocol& inside = network.intra.simple;
  const Busiest moved = busiest_of(call, algorithm, *path);

  Candidate candidate{.algorithm = algorithm};
  const double fill = fill_of(size, 1.0);
  const Seconds between = path->between * (network_step + group.tree_hop);
  candidate.start =
      network.collective_overhead + network.intra_delay * (path->inside * inside.step) +
      (call.is_spread() ? network.inter_delay * (family.base + fill * family.fill + between)
                        : network.intra_delay * (inside.base + fill * inside.fill));
  const BytesPerSecond links = path->in_switch
                                   ? switch_rate(network)
                                   : ring_rate(group.ranks_per_node, group.stride, network);
  candidate.domain = moved.inside / links;
  if (call.is_spread()) {
    const double share = group.ring_share * network.inter_efficiency * family.share;
    candidate.adapters =
        moved.between / ((share * real(group.ranks_per_node)) * network.inter_bandwidth);
    candidate.outside = group.ring_share < 1.0 ? Bottleneck::upper_tiers : Bottleneck::adapters;
  }
  if (path->in_turn) {
    const Seconds shorter = min(candidate.domain, candidate.adapters);
    (candidate.domain < candidate.adapters ? candidate.adapters : candidate.domain) += shorter;
  }
  return candidate;
}

}  // namespace cubicbench::sim
