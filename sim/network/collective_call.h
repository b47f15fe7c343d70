#pragma once

#include <algorithm>
#include <optional>

#include "sim/base/units.h"
#include "sim/network/collective.h"
#include "sim/network/domain_cost.h"

namespace cubicbench::sim {

/// One way to run a collective: what it waits and what it moves.
struct Candidate {
  Algorithm algorithm = Algorithm::ring;
  Protocol protocol = Protocol::simple;
  Seconds start{};                            ///< start-up, steps and fill
  Seconds domain{};                           ///< bytes over links of the domain
  Seconds adapters{};                         ///< bytes between domains; the two overlap
  Bottleneck outside = Bottleneck::adapters;  ///< what `adapters` is bound by

  Seconds time() const { return start + max(domain, adapters); }
};

/// The cheapest of the candidates that are wanted; the first among equals.
class Cheapest {
 public:
  /// Of all algorithms that libraries choose among, or of `only`.
  explicit Cheapest(std::optional<Algorithm> only) : only_(only) {}

  bool wants(Algorithm algorithm) const { return !only_ || *only_ == algorithm; }

  void offer(const Candidate& candidate) {
    const Seconds time = candidate.time();
    if (found_ && !(time < time_)) return;
    best_ = candidate;
    time_ = time;
    found_ = true;
  }

  bool found() const { return found_; }
  const Candidate& best() const { return best_; }
  Seconds time() const { return time_; }

 private:
  std::optional<Algorithm> only_;
  Candidate best_;
  Seconds time_{};  ///< of the best
  bool found_ = false;
};

/// A collective whose cost is asked for.
struct CollectiveCall {
  Collective op;
  Bytes size;
  const Group& group;
  const Network& network;
  double nodes = 1.0;  ///< domains that the group touches; what follows counts where it is above 1
  double depth = 0.0;  ///< of a binary tree over them: 1 of two
  BytesPerSecond nic{};                       ///< of one member, what tiers leave of it
  BytesPerSecond nics{};                      ///< of the members on the node with the fewest
  Bottleneck outside = Bottleneck::adapters;  ///< what they are bound by

  bool is_spread() const { return nodes > 1.0; }
};

inline CollectiveCall call_of(Collective op, Bytes size, const Group& group,
                              const Network& network) {
  CollectiveCall call{.op = op, .size = size, .group = group, .network = network};
  const std::int64_t nodes = nodes_of(group);
  if (nodes == 1) return call;
  const std::int64_t fewest =
      std::min(group.ranks_per_node, group.ranks - (nodes - 1) * group.ranks_per_node);
  const double share = op == Collective::all_to_all ? group.all_to_all_share : group.ring_share;
  call.nodes = real(nodes);
  call.depth = doublings(nodes);
  call.nic = (share * network.inter_efficiency) * network.inter_bandwidth;
  call.nics = real(fewest) * call.nic;
  if (share < 1.0) call.outside = Bottleneck::upper_tiers;
  return call;
}

/// Times that rings and chains pass the payload on.
constexpr double rounds_of(Collective op) { return op == Collective::all_reduce ? 2.0 : 1.0; }

/// What a further step between nodes takes with the Simple protocol; start-ups are of two nodes.
/// Source: NCCL's cost model.
inline constexpr Seconds network_step{14e-6};

/// What a call takes to start, inside its domain and between domains.
inline Seconds start_inside(const CollectiveCall& call, Seconds start) {
  return call.network.collective_overhead + call.network.intra_delay * start;
}

inline Seconds start_between(const CollectiveCall& call, Seconds start) {
  return call.network.collective_overhead + call.network.inter_delay * start;
}

/// Of trees on more than two nodes, and of the rings that the library weighs them against.
inline double share_between(const CollectiveCall& call, const FabricFamily& family) {
  return call.nodes > 2.0 && family.share_many > 0.0 ? family.share_many : family.share;
}

/// Offers the regime of short latency, where there is one: few bytes in flight, LL or LL128.
inline void offer_low(const CollectiveCall& call, const FabricFamily& family, Algorithm algorithm,
                      Seconds start, Cheapest& cheapest) {
  Candidate candidate{.algorithm = algorithm, .protocol = Protocol::ll};
  candidate.outside = call.outside;
  candidate.start = start_between(call, start);
  candidate.adapters = call.size / (family.low_share * call.nics);
  cheapest.offer(candidate);
}

/// Double binary trees between nodes, by what starts them and by what is sent: a node sends what it
/// has once between two nodes, twice among more.
inline Seconds trees_start(const CollectiveCall& call) {
  const FabricFamily& family = call.network.inter.reduce;
  return family.base + (0.5 * (1.0 + call.depth) * fill_of(call.size, 1.0)) * family.fill +
         (2.0 * (call.depth - 1.0)) * network_step + (2.0 * call.depth) * call.group.tree_hop;
}

inline Seconds trees_transfer(const CollectiveCall& call) {
  const double times = call.nodes > 2.0 ? 2.0 : 1.0;
  return times * (call.size / (share_between(call, call.network.inter.reduce) * call.nics));
}

}  // namespace cubicbench::sim
