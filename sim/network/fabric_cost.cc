#include <algorithm>

#include "sim/base/units.h"
#include "sim/network/domain_cost.h"

namespace cubicbench::sim {
namespace {

/// What all candidates between nodes share.
struct Call {
  Collective op;
  Bytes size;
  const Group& group;
  const Network& network;
  double nodes;
  double depth;         ///< of a binary tree over the nodes: 1 of two nodes
  BytesPerSecond nic;   ///< of one member, what tiers leave of it
  BytesPerSecond nics;  ///< of the members on the node with the fewest
  Bottleneck outside;   ///< what they are bound by
};

Call call_of(Collective op, Bytes size, const Group& group, const Network& network) {
  const std::int64_t nodes = nodes_of(group);
  const std::int64_t fewest =
      std::min(group.ranks_per_node, group.ranks - (nodes - 1) * group.ranks_per_node);
  const double share = op == Collective::all_to_all ? group.all_to_all_share : group.ring_share;
  const BytesPerSecond nic = (share * network.inter_efficiency) * network.inter_bandwidth;
  return {.op = op,
          .size = size,
          .group = group,
          .network = network,
          .nodes = real(nodes),
          .depth = doublings(nodes),
          .nic = nic,
          .nics = real(fewest) * nic,
          .outside = share < 1.0 ? Bottleneck::upper_tiers : Bottleneck::adapters};
}

// Start-ups are of two nodes; what each further network step takes is NCCL's own.
struct NetworkStep {
  Seconds low, simple;
};
constexpr NetworkStep tree_step{.low = {5e-6}, .simple = network_step};
constexpr NetworkStep ring_step{.low = {2.7e-6}, .simple = network_step};

Seconds start_of(const Call& call, Seconds start) {
  return call.network.collective_overhead + call.network.inter_delay * start;
}

/// Of trees on more than two nodes, and of the rings that the library weighs them against.
double share_of(const Call& call, const FabricFamily& family) {
  return call.nodes > 2.0 && family.share_many > 0.0 ? family.share_many : family.share;
}

/// The regime of short latency: few bytes in flight, LL or LL128.
void offer_low(const Call& call, const FabricFamily& family, Algorithm algorithm, Seconds start,
               Cheapest& cheapest) {
  if (family.low_share <= 0.0) return;
  Candidate candidate{.algorithm = algorithm, .protocol = Protocol::ll};
  candidate.outside = call.outside;
  candidate.start = start_of(call, start);
  candidate.adapters = call.size / (family.low_share * call.nics);
  cheapest.offer(candidate);
}

/// What a ring passes beyond the 14 steps inside and one between two nodes of eight that start-ups
/// were measured on, a round.
struct MoreSteps {
  double inside, between;
};

MoreSteps more_steps(const Call& call) {
  constexpr double measured = 14.0;
  const double inside = real(call.group.ranks) - call.nodes;
  return {.inside = std::max(0.0, inside - measured), .between = call.nodes - 2.0};
}

/// Rings: every byte crosses the adapters of each node once a round.
void offer_ring(const Call& call, const FabricFamily& family, double rounds, Cheapest& cheapest) {
  const DomainCosts& costs = call.network.intra;
  const double factor = bus_factor(call.op, call.group.ranks);
  const MoreSteps more = more_steps(call);
  const Seconds hops = (rounds * (call.nodes - 1.0)) * call.group.ring_hop;
  const auto start = [&](Seconds base, Seconds between, Seconds inside) {
    return base + rounds * (more.between * between + more.inside * inside) + hops;
  };
  if (call.op != Collective::all_reduce) {
    const Seconds alone = domain_ring_start(rounds, call.group.ranks_per_node, call.network);
    offer_low(call, family, Algorithm::ring,
              max(alone, start(family.low_base, ring_step.low, costs.ll.step)), cheapest);
  }
  Candidate candidate{.algorithm = Algorithm::ring};
  candidate.outside = call.outside;
  candidate.start = start_of(call, start(family.base, ring_step.simple, costs.simple.step) +
                                       fill_of(call.size, 1.0) * family.fill);
  candidate.adapters = factor * (call.size / (share_of(call, family) * call.nics));
  candidate.domain =
      factor * (call.size / ring_rate(call.group.ranks_per_node, call.group.stride, call.network));
  cheapest.offer(candidate);
}

/// Short all-reduces climb a tree whatever the library does with long ones. A domain of many GPUs
/// takes as long as it takes alone.
void offer_short_tree(const Call& call, Cheapest& cheapest) {
  const FabricFamily& family = call.network.inter.reduce;
  const Seconds base =
      max(family.low_base, domain_reduce_start(call.size, call.group.ranks_per_node, call.network));
  const Seconds climb =
      (2.0 * (call.depth - 1.0)) * tree_step.low + (2.0 * call.depth) * call.group.tree_hop;
  offer_low(call, family, Algorithm::tree, base + climb, cheapest);
}

/// Double binary trees: a node sends what it has once between two nodes, twice among more; inside
/// a node in the switch (`in_switch`), else up and down a chain of its GPUs.
void offer_tree(const Call& call, bool in_switch, Cheapest& cheapest) {
  const FabricFamily& family = call.network.inter.reduce;
  const std::int64_t members = call.group.ranks_per_node;
  Candidate candidate{.algorithm = in_switch ? Algorithm::nvls_tree : Algorithm::tree};
  candidate.outside = call.outside;
  Seconds start = family.base + (0.5 * (1.0 + call.depth) * fill_of(call.size, 1.0)) * family.fill +
                  (2.0 * (call.depth - 1.0)) * tree_step.simple +
                  (2.0 * call.depth) * call.group.tree_hop;
  const double times = call.nodes > 2.0 ? 2.0 : 1.0;
  candidate.adapters = times * (call.size / (share_of(call, family) * call.nics));
  if (in_switch) {
    constexpr double between = 0.95;  // of the switch's own rate, with a tree around it
    start += switch_fill(call.size, members, call.network);
    candidate.domain = call.size / (between * switch_rate(call.network));
  } else if (members > 1) {
    constexpr double chain = 0.92;  // NCCL's cost model: tree over ring
    candidate.domain =
        (2.0 / chain) * (call.size / ring_rate(members, call.group.stride, call.network));
  }
  candidate.start = start_of(call, start);
  cheapest.offer(candidate);
}

/// Trees reduce in the switch where there is one that can, unless chains are asked for.
void offer_all_reduce(const Call& call, Cheapest& cheapest) {
  const bool switched = reduces_in_switch(call.group.ranks_per_node, call.network);
  const bool by_tree = cheapest.wants(Algorithm::tree);
  const bool in_switch = cheapest.wants(Algorithm::nvls_tree) && switched;
  if (by_tree) offer_short_tree(call, cheapest);
  if (call.network.inter.trees && in_switch) offer_tree(call, true, cheapest);
  if (call.network.inter.trees && by_tree && !in_switch) offer_tree(call, false, cheapest);
  if (cheapest.wants(Algorithm::ring)) offer_ring(call, call.network.inter.reduce, 2.0, cheapest);
}

/// All-to-all: (n - r) / n of the buffer leaves the node through one adapter a rank, the rest stays
/// inside; the two overlap.
void offer_exchange(const Call& call, Cheapest& cheapest) {
  const FabricFamily& family = call.network.inter.exchange;
  const double n = real(call.group.ranks);
  const double r = real(call.group.ranks_per_node);
  const BytesPerSecond inside =
      exchange_rate(call.group.ranks_per_node, call.group.stride, call.network);
  const auto offer = [&](Protocol protocol, Seconds base, double share) {
    Candidate candidate{.algorithm = Algorithm::direct, .protocol = protocol};
    candidate.outside = call.outside;
    candidate.start = start_of(call, max(base, n * exchange_peer) + call.group.ring_hop);
    candidate.adapters = ((n - r) / n) * (call.size / (share * call.nic));
    if (r > 1.0) candidate.domain = ((r - 1.0) / n) * (call.size / inside);
    cheapest.offer(candidate);
  };
  if (family.low_share > 0.0) offer(Protocol::ll, family.low_base, family.low_share);
  offer(Protocol::simple, family.base + fill_of(call.size, 1.0) * family.fill, family.share);
}

/// NCCL starts from two channels an adapter and halves them among more than eight ranks. Measured:
/// 20 GB/s from 1 to 4 MiB among 16 ranks of two B200 nodes.
constexpr std::int64_t two_channels = 16;

/// Send and receive between domains.
Candidate fabric_message(Bytes size, const Group& group, const Network& network) {
  const FabricMessage& costs = network.inter.message;
  const double left = group.ring_share * network.inter_efficiency;
  Candidate low{.algorithm = Algorithm::direct, .protocol = Protocol::ll};
  low.outside = group.ring_share < 1.0 ? Bottleneck::upper_tiers : Bottleneck::adapters;
  Candidate high = low;
  high.protocol = Protocol::simple;
  const Seconds base = network.inter_delay * (costs.base + group.ring_hop);
  low.start = network.collective_overhead + base;
  low.adapters = size / (left * costs.low_rate);
  high.start = low.start + network.inter_delay * costs.switched;
  const double channels = message_channels(size, std::max(two_channels, 2 * group.ranks));
  high.adapters =
      size / (left * min(channels * costs.channel, costs.share * network.inter_bandwidth));
  return low.time() < high.time() ? low : high;
}

}  // namespace

void offer_fabric(Collective op, Bytes size, const Group& group, const Network& network,
                  Cheapest& cheapest) {
  const Call call = call_of(op, size, group, network);
  switch (op) {
    case Collective::all_reduce:
      offer_all_reduce(call, cheapest);
      return;
    case Collective::all_gather:
    case Collective::reduce_scatter:
    case Collective::broadcast:
      if (cheapest.wants(Algorithm::ring)) offer_ring(call, network.inter.gather, 1.0, cheapest);
      return;
    case Collective::all_to_all:
      if (cheapest.wants(Algorithm::direct)) offer_exchange(call, cheapest);
      return;
    case Collective::send_receive:
      if (cheapest.wants(Algorithm::direct)) cheapest.offer(fabric_message(size, group, network));
      return;
  }
}

}  // namespace cubicbench::sim
