#include "sim/network/collective.h"

#include <algorithm>

#include "sim/network/collective_call.h"
#include "sim/network/domain_cost.h"
#include "sim/network/requested_cost.h"

namespace cubicbench::sim {
namespace {

inline Cheapest cheapest_of(Collective op, Bytes size, const Group& group, const Network& network,
                            std::optional<Algorithm> only = {}) {
  Cheapest cheapest(only);
  const CollectiveCall call = call_of(op, size, group, network);
  for (const Algorithm algorithm : chosen_algorithms(op, call.is_spread())) {
    if (cheapest.wants(algorithm)) parts_of(algorithm).offer(call, cheapest);
  }
  return cheapest;
}

CollectiveCost cost_of(const Candidate& best) {
  CollectiveCost cost{.time = best.time(),
                      .start = best.start,
                      .algorithm = best.algorithm,
                      .protocol = best.protocol};
  if (max(best.domain, best.adapters) > best.start) {
    cost.bottleneck = best.adapters < best.domain ? Bottleneck::domain : best.outside;
  }
  return cost;
}

inline Seconds time_of(Collective op, Bytes size, const Group& group, const Network& network) {
  if (group.ranks == 1) return {};
  return cheapest_of(op, size, group, network).time();
}

}  // namespace

double bus_factor(Collective op, std::int64_t ranks) {
  const auto n = static_cast<double>(ranks);
  if (op == Collective::all_reduce) return 2.0 * (n - 1.0) / n;
  return op == Collective::broadcast || op == Collective::send_receive ? 1.0 : (n - 1.0) / n;
}

CollectiveCost collective_cost(Collective op, Bytes size, const Group& group,
                               const Network& network) {
  if (group.ranks == 1) return {};
  return cost_of(cheapest_of(op, size, group, network).best());
}

std::optional<CollectiveCost> collective_cost(Collective op, Bytes size, const Group& group,
                                              const Network& network, Algorithm algorithm) {
  if (group.ranks == 1) return CollectiveCost{};
  const Cheapest cheapest = cheapest_of(op, size, group, network, algorithm);
  if (cheapest.found()) return cost_of(cheapest.best());
  const auto requested = requested_cost(op, algorithm, size, group, network);
  if (!requested) return std::nullopt;
  return cost_of(*requested);
}

BytesPerSecond bus_bandwidth(const Group& group, const Network& network) {
  const BytesPerSecond inside = ring_rate(group.ranks_per_node, group.stride, network);
  if (nodes_of(group) == 1) return inside;
  const double share = group.ring_share * network.inter_efficiency * network.inter.gather.share;
  return min(inside, (share * static_cast<double>(group.ranks_per_node)) * network.inter_bandwidth);
}

Seconds all_gather(Bytes gathered, const Group& group, const Network& network) {
  return time_of(Collective::all_gather, gathered, group, network);
}

Seconds all_reduce(Bytes payload, const Group& group, const Network& network) {
  return time_of(Collective::all_reduce, payload, group, network);
}

Seconds all_to_all(Bytes payload, const Group& group, const Network& network) {
  return time_of(Collective::all_to_all, payload, group, network);
}

Seconds send_receive(Bytes payload, const Group& group, const Network& network) {
  return time_of(Collective::send_receive, payload, group, network);
}

void limit_to_library(const Stack& stack, Network& network) {
  if (stack.network_trees || !network.inter.trees) return;
  network.inter.trees = false;
  constexpr double ring_share = 0.91;  // all-reduces of libraries without trees: 0.88 to 0.94
  FabricFamily& reduce = network.inter.reduce;
  reduce.share = std::min(reduce.share, ring_share);
}

}  // namespace cubicbench::sim
