#include <algorithm>

#include "sim/base/units.h"
#include "sim/network/collective_call.h"
#include "sim/network/domain_cost.h"
#include "sim/network/flow_writer.h"
#include "sim/network/load_writer.h"
#include "sim/network/torus.h"

namespace cubicbench::sim {
namespace {

bool is_way(Collective op, const Group&) { return op != Collective::all_to_all; }

/// What goes round leaves each of N domains once, what goes along a chain all but the last.
Multiples moved(Collective op, const Group& group) {
  const double n = real(group.ranks);
  const double nodes = real(nodes_of(group));
  const double around = nodes > 1.0 ? nodes : 0.0;
  if (op == Collective::send_receive) return {n, 0.0, around};
  if (op == Collective::broadcast) return {n - 1.0, 0.0, nodes - 1.0};
  const double rounds = rounds_of(op);
  return {rounds * (n - 1.0), 0.0, rounds * ((n - 1.0) / n) * around};
}

void flows(FlowWriter& to) {
  if (to.op == Collective::broadcast) return to.chain(to.everyone(), 0);
  to.ring(to.everyone(), bus_factor(to.op, to.n) * to.size, 0);
}

/// Each of r members on a node ends one of r channels there, and sends that one's part between
/// nodes.
void load(LoadWriter& to) {
  if (to.op() == Collective::send_receive) return to.send_to_next();
  const double bytes = bus_factor(to.op(), to.n());
  to.pass_around(bytes);
  to.chain_across(bytes, to.op() != Collective::broadcast);
}

// ---- inside a domain ---------------------------------------------------------------------------

struct Around {
  double steps;
  double factor;  ///< bytes a link over the size
};

Candidate candidate_of(const CollectiveCall& call, const Around& around,
                       const RingProtocol& protocol, Protocol name, BytesPerSecond links) {
  Candidate candidate{.algorithm = Algorithm::ring, .protocol = name};
  Seconds start = protocol.base + around.steps * protocol.step +
                  fill_of(call.size, around.factor) * protocol.fill;
  if (name == Protocol::ll) start = max(start, call.network.intra.ll_floor);
  candidate.start = start_inside(call, start);
  candidate.domain = around.factor * (call.size / (protocol.share * links));
  return candidate;
}

/// [docs/models.md, Eq. C-1, C-2 and C-7]
void offer_inside(const CollectiveCall& call, Cheapest& cheapest) {
  const DomainCosts& costs = call.network.intra;
  const std::int64_t ranks = call.group.ranks;
  const Around around{.steps = rounds_of(call.op) * (real(ranks) - 1.0),
                      .factor = bus_factor(call.op, ranks)};
  const BytesPerSecond links = domain_rate(ranks, call.group.stride, call.network);
  const double small = small_group_share(ranks, call.network);
  const auto offer = [&](const RingProtocol& protocol, Protocol name, BytesPerSecond rate) {
    if (name != Protocol::simple && protocol.share <= 0.0) return;
    cheapest.offer(candidate_of(call, around, protocol, name, rate));
  };
  offer(costs.ll, Protocol::ll, links);
  offer(costs.ll128, Protocol::ll128, small * links);
  offer(costs.simple, Protocol::simple, small * links);
}

/// Rings of both directions on all axes at once, each axis with its part of the buffer; one axis
/// after the other for every part, so that steps add up [docs/models.md, Eq. C-15]. Source:
/// github.com/jax-ml/scaling-book/blob/04d8de5/sharding.md; the sharing of links by interleaved
/// groups is counted here.
void offer_on_torus(const CollectiveCall& call, Cheapest& cheapest) {
  const TorusSpan span = torus_span(call.group.ranks, call.group.stride, call.network);
  const RingProtocol& rings = call.network.intra.simple;
  const double factor = bus_factor(call.op, call.group.ranks);
  Candidate candidate{.algorithm = Algorithm::ring};
  candidate.start = start_inside(call, rings.base + (rounds_of(call.op) * span.hops) * rings.step +
                                           fill_of(call.size, factor) * rings.fill);
  const BytesPerSecond link = call.network.intra_efficiency * call.network.intra_bandwidth;
  candidate.domain = factor * (call.size / ((rings.share * span.links) * link));
  cheapest.offer(candidate);
}

// ---- between domains ---------------------------------------------------------------------------

constexpr Seconds low_step{2.7e-6};  ///< of LL between nodes, as NCCL has it

/// Every byte crosses the adapters of each node once a round [docs/models.md, Eq. C-10]. Start-ups
/// were measured on 14 steps inside and one between two nodes of eight.
void offer_between(const CollectiveCall& call, const FabricFamily& family, Cheapest& cheapest) {
  constexpr double measured = 14.0;
  const DomainCosts& costs = call.network.intra;
  const Group& group = call.group;
  const double rounds = rounds_of(call.op);
  const double factor = bus_factor(call.op, group.ranks);
  const double more_inside = std::max(0.0, real(group.ranks) - call.nodes - measured);
  const double more_between = call.nodes - 2.0;
  const Seconds hops = (rounds * (call.nodes - 1.0)) * group.ring_hop;
  const auto start = [&](Seconds base, Seconds between, Seconds inside) {
    return base + rounds * (more_between * between + more_inside * inside) + hops;
  };
  if (call.op != Collective::all_reduce && family.low_share > 0.0) {
    const Seconds alone = domain_ring_start(rounds, group.ranks_per_node, call.network);
    offer_low(call, family, Algorithm::ring,
              max(alone, start(family.low_base, low_step, costs.ll.step)), cheapest);
  }
  Candidate candidate{.algorithm = Algorithm::ring};
  candidate.outside = call.outside;
  candidate.start = start_between(call, start(family.base, network_step, costs.simple.step) +
                                            fill_of(call.size, 1.0) * family.fill);
  candidate.adapters = factor * (call.size / (share_between(call, family) * call.nics));
  candidate.domain =
      factor * (call.size / ring_rate(group.ranks_per_node, group.stride, call.network));
  cheapest.offer(candidate);
}

void offer(const CollectiveCall& call, Cheapest& cheapest) {
  const FabricCosts& between = call.network.inter;
  if (call.is_spread()) {
    const bool reduces = call.op == Collective::all_reduce;
    return offer_between(call, reduces ? between.reduce : between.gather, cheapest);
  }
  if (call.network.domain == DomainKind::torus) return offer_on_torus(call, cheapest);
  offer_inside(call, cheapest);
}

}  // namespace

const CollectiveAlgorithm algorithms::ring{
    .is_way = is_way, .moved = moved, .flows = flows, .load = load, .offer = offer};

}  // namespace cubicbench::sim
