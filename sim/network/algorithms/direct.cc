#include <algorithm>
#include <bit>

#include "sim/base/units.h"
#include "sim/network/collective_call.h"
#include "sim/network/domain_cost.h"
#include "sim/network/flow_writer.h"
#include "sim/network/load_writer.h"
#include "sim/network/torus.h"

namespace cubicbench::sim {
namespace {

bool is_way(Collective, const Group&) { return true; }

/// Of the ranks that share no domain with a rank, the mean: n - (sum of the squares of what domains
/// have) / n.
double elsewhere_of(const Group& group) {
  const double n = real(group.ranks);
  const std::int64_t full = group.ranks / group.ranks_per_node;
  const std::int64_t rest = group.ranks % group.ranks_per_node;
  return n - real(full * group.ranks_per_node * group.ranks_per_node + rest * rest) / n;
}

Multiples moved(Collective op, const Group& group) {
  const double n = real(group.ranks);
  const double nodes = real(nodes_of(group));
  if (op == Collective::send_receive) return {n, 0.0, nodes > 1.0 ? nodes : 0.0};
  if (op == Collective::broadcast) {
    return {n - 1.0, 0.0, n - (nodes > 1.0 ? real(group.ranks_per_node) : n)};
  }
  const double rounds = rounds_of(op);
  return {rounds * (n - 1.0), 0.0, rounds * elsewhere_of(group)};
}

void flows(FlowWriter& to) {
  if (to.op == Collective::send_receive) return to.ring(to.everyone(), to.size, 0);
  const bool tells = to.op == Collective::broadcast;
  const Bytes part = tells ? to.size : to.size / real(to.n);
  for (std::int64_t from = 0; from < (tells ? 1 : to.n); ++from) {
    for (std::int64_t peer = 0; peer < to.n; ++peer) {
      to.send(from, peer, part, 0);
      if (to.op == Collective::all_reduce) to.send(from, peer, part, 1);
    }
  }
}

void load(LoadWriter& to) {
  if (to.op() == Collective::send_receive) return to.send_to_next();
  const double part = rounds_of(to.op()) / real(to.n());
  to.exchange(part);
  to.pairs(to.gpus(), part);
}

// ---- all-to-all --------------------------------------------------------------------------------

constexpr Bytes short_message{524288.0};   // NCCL's p2p chunk over NVLink: up to it LL
constexpr double channels_max = 32.0;      // of messages, NCCL
constexpr Seconds exchange_peer{0.70e-6};  // to start, a rank: published sweeps on up to 72 GPUs

/// Every rank sends an n-th of the buffer to each of the others: LL up to a chunk a peer, on the
/// channels of messages; all links beyond. Few ranks can choose [docs/models.md, Eq. C-6].
void offer_exchange_inside(const CollectiveCall& call, Cheapest& cheapest) {
  const Network& network = call.network;
  const DomainCosts& costs = network.intra;
  const std::int64_t ranks = call.group.ranks;
  const double n = real(ranks);
  const Seconds floor = max(costs.exchange_floor, n * exchange_peer);
  const bool is_short = call.size / n <= short_message;
  const Bytes sent = ((n - 1.0) / n) * call.size;
  const auto offer = [&](Protocol protocol, Seconds start, BytesPerSecond rate) {
    Candidate one{.algorithm = Algorithm::direct, .protocol = protocol};
    one.start = start_inside(call, start);
    one.domain = sent / rate;
    cheapest.offer(one);
  };
  const BytesPerSecond links = domain_rate(ranks, call.group.stride, network);
  const double share = costs.exchange_share * small_group_share(ranks, network);
  if (is_short) {
    const BytesPerSecond channels =
        (channels_max * network.intra_efficiency) * costs.message_channel_ll;
    offer(Protocol::ll, floor, min(channels, share * links));
  }
  constexpr std::int64_t few = 8;
  if (is_short && ranks >= few) return;
  offer(Protocol::simple, floor + fill_of(sent, 1.0) * costs.simple.fill, share * links);
}

/// (n - r) / n of the buffer leaves the node through one adapter a rank, the rest stays inside; the
/// two overlap [docs/models.md, Eq. C-11].
void offer_exchange_between(const CollectiveCall& call, Cheapest& cheapest) {
  const FabricFamily& family = call.network.inter.exchange;
  const double n = real(call.group.ranks);
  const double r = real(call.group.ranks_per_node);
  const BytesPerSecond inside =
      exchange_rate(call.group.ranks_per_node, call.group.stride, call.network);
  const auto offer = [&](Protocol protocol, Seconds base, double share) {
    Candidate candidate{.algorithm = Algorithm::direct, .protocol = protocol};
    candidate.outside = call.outside;
    candidate.start = start_between(call, max(base, n * exchange_peer) + call.group.ring_hop);
    candidate.adapters = ((n - r) / n) * (call.size / (share * call.nic));
    if (r > 1.0) candidate.domain = ((r - 1.0) / n) * (call.size / inside);
    cheapest.offer(candidate);
  };
  if (family.low_share > 0.0) offer(Protocol::ll, family.low_base, family.low_share);
  offer(Protocol::simple, family.base + fill_of(call.size, 1.0) * family.fill, family.share);
}

// ---- send and receive --------------------------------------------------------------------------

double power_of_two_below(double number) {
  return real(static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(number))));
}

/// Channels of a pair whose communicator has `ranks` ranks, for a message of `size` bytes: they
/// double with the message and are fewer a pair among more ranks. Source: NCCL, which has 32 for
/// messages and gives each at least 16 MiB.
double message_channels(Bytes size, std::int64_t ranks) {
  constexpr double channel_bytes = 16777216.0;
  const double chunks = size.value / channel_bytes;
  const double doubled = chunks < 1.0 ? 1.0 : power_of_two_below(chunks);
  const double each = power_of_two_below(std::max(1.0, channels_max / real(ranks)));
  return std::clamp(doubled, each, channels_max);
}

/// [docs/models.md, Eq. C-4]
void offer_message_inside(const CollectiveCall& call, Cheapest& cheapest) {
  const Network& network = call.network;
  const DomainCosts& costs = network.intra;
  const double channels = message_channels(call.size, call.group.ranks);
  Candidate candidate{.algorithm = Algorithm::direct};
  candidate.start = start_inside(call, costs.message_base);
  const bool is_short = call.size <= short_message;
  if (is_short) candidate.protocol = Protocol::ll;
  const BytesPerSecond most =
      min((costs.message_share * network.intra_efficiency) * network.intra_bandwidth,
          costs.simple.share * domain_rate(2, 1, network));
  const BytesPerSecond channel = is_short ? costs.message_channel_ll : costs.message_channel;
  candidate.domain = call.size / min((channels * network.intra_efficiency) * channel, most);
  cheapest.offer(candidate);
}

/// NCCL starts from two channels an adapter and halves them among more than eight ranks. Measured:
/// 20 GB/s from 1 to 4 MiB among 16 ranks of two B200 nodes.
constexpr std::int64_t two_channels = 16;

/// [docs/models.md, Eq. C-4]
void offer_message_between(const CollectiveCall& call, Cheapest& cheapest) {
  const Network& network = call.network;
  const FabricMessage& costs = network.inter.message;
  const double left = call.group.ring_share * network.inter_efficiency;
  Candidate low{.algorithm = Algorithm::direct, .protocol = Protocol::ll};
  low.outside = call.outside;
  Candidate high = low;
  high.protocol = Protocol::simple;
  low.start = start_between(call, costs.base + call.group.ring_hop);
  const BytesPerSecond most = costs.share * network.inter_bandwidth;
  low.adapters = call.size / (left * min(costs.low_rate, most));
  high.start = low.start + network.inter_delay * costs.switched;
  const double channels = message_channels(call.size, std::max(two_channels, 2 * call.group.ranks));
  high.adapters = call.size / (left * min(channels * costs.channel, most));
  cheapest.offer(low.time() < high.time() ? low : high);
}

// ---- on a torus --------------------------------------------------------------------------------

/// [docs/models.md, Eq. C-16 and C-17]. Source:
/// github.com/jax-ml/scaling-book/blob/04d8de5/sharding.md; the sharing of links by interleaved
/// groups and the busiest link are counted here.
void offer_on_torus(const CollectiveCall& call, Cheapest& cheapest) {
  const Network& network = call.network;
  const DomainCosts& costs = network.intra;
  const TorusSpan span = torus_span(call.group.ranks, call.group.stride, network);
  const BytesPerSecond link = network.intra_efficiency * network.intra_bandwidth;
  const bool exchanges = call.op == Collective::all_to_all;
  const Seconds base = exchanges ? costs.exchange_floor : costs.message_base;
  const double steps = exchanges ? span.hops : span.shift;
  const double times = exchanges ? span.exchange : span.shift;
  const double share = exchanges ? costs.exchange_share : costs.message_share;
  Candidate candidate{.algorithm = Algorithm::direct};
  candidate.start = start_inside(call, base + steps * costs.simple.step);
  candidate.domain = times * (call.size / (share * link));
  cheapest.offer(candidate);
}

void offer(const CollectiveCall& call, Cheapest& cheapest) {
  const bool exchanges = call.op == Collective::all_to_all;
  if (call.is_spread()) {
    return exchanges ? offer_exchange_between(call, cheapest)
                     : offer_message_between(call, cheapest);
  }
  if (call.network.domain == DomainKind::torus) return offer_on_torus(call, cheapest);
  return exchanges ? offer_exchange_inside(call, cheapest) : offer_message_inside(call, cheapest);
}

std::optional<CriticalPath> path(const CollectiveCall& call) {
  if (call.op == Collective::broadcast) return std::nullopt;
  const double rounds = rounds_of(call.op);
  if (call.is_spread()) return CriticalPath{.between = rounds};
  return CriticalPath{.inside = rounds};
}

}  // namespace

const CollectiveAlgorithm algorithms::direct{
    .is_way = is_way, .moved = moved, .flows = flows, .load = load, .offer = offer, .path = path};

}  // namespace cubicbench::sim
