#include "sim/network/domain_cost.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "sim/base/check.h"
#include "sim/base/numeric.h"
#include "sim/base/units.h"
#include "sim/network/torus.h"

namespace cubicbench::sim {
namespace {

constexpr double megabyte = 1e6;
constexpr double gibibyte = 1073741824.0;
constexpr Bytes short_message{524288.0};  // NCCL's p2p chunk over NVLink: up to it LL
constexpr double channels_max = 32.0;     // of messages, NCCL
constexpr double channel_bytes = 16777216.0;

double power_of_two_below(double number) {
  return static_cast<double>(std::bit_floor(static_cast<std::uint64_t>(number)));
}

/// Times that a ring passes the payload on: steps over n - 1.
double ring_rounds(Collective op) { return op == Collective::all_reduce ? 2.0 : 1.0; }

Seconds ring_start(const RingProtocol& protocol, double steps, Bytes size, double factor) {
  return protocol.base + steps * protocol.step + fill_of(size, factor) * protocol.fill;
}

/// What rings of few ranks reach of the rate: 1 - loss / (n - 1).
double small_group_share(std::int64_t ranks, const Network& network) {
  return ranks < 2 ? 1.0 : 1.0 - network.intra.small_group_loss / (real(ranks) - 1.0);
}

struct RingCall {
  Collective op;
  Bytes size;
  const Group& group;
  const Network& network;
  double steps;
  double factor;  ///< bytes a link over the size
};

Candidate ring_candidate(const RingCall& call, const RingProtocol& protocol, Protocol name,
                         BytesPerSecond links) {
  const Network& network = call.network;
  Candidate candidate{.algorithm = Algorithm::ring, .protocol = name};
  Seconds start = ring_start(protocol, call.steps, call.size, call.factor);
  if (name == Protocol::ll) start = max(start, network.intra.ll_floor);
  candidate.start = network.collective_overhead + network.intra_delay * start;
  candidate.domain = call.factor * (call.size / (protocol.share * links));
  return candidate;
}

void offer_rings(const RingCall& call, Cheapest& cheapest) {
  const DomainCosts& costs = call.network.intra;
  const BytesPerSecond links = domain_rate(call.group.ranks, call.group.stride, call.network);
  const double small = small_group_share(call.group.ranks, call.network);
  if (costs.ll.share > 0.0) cheapest.offer(ring_candidate(call, costs.ll, Protocol::ll, links));
  if (costs.ll128.share > 0.0) {
    cheapest.offer(ring_candidate(call, costs.ll128, Protocol::ll128, small * links));
  }
  cheapest.offer(ring_candidate(call, costs.simple, Protocol::simple, small * links));
}

void offer_nvls(Bytes size, const Group& group, const Network& network, Cheapest& cheapest) {
  if (!reduces_in_switch(group.ranks, network)) return;
  Candidate candidate{.algorithm = Algorithm::nvls};
  candidate.start =
      network.collective_overhead +
      network.intra_delay * (network.intra.nvls_base + switch_fill(size, group.ranks, network));
  candidate.domain = size / switch_rate(network);
  cheapest.offer(candidate);
}

/// Every rank sends an n-th of the buffer to each of the others: LL up to a chunk a peer, on the
/// channels of messages; all links beyond. Few ranks can choose [docs/models.md, Eq. C-6].
void offer_exchange(Bytes size, const Group& group, const Network& network, Cheapest& cheapest) {
  const DomainCosts& costs = network.intra;
  const double n = real(group.ranks);
  const Seconds floor = max(costs.exchange_floor, n * exchange_peer);
  const bool is_short = size / n <= short_message;
  const Bytes sent = ((n - 1.0) / n) * size;
  const auto candidate = [&](Protocol protocol, Seconds start, BytesPerSecond rate) {
    Candidate one{.algorithm = Algorithm::direct, .protocol = protocol};
    one.start = network.collective_overhead + network.intra_delay * start;
    one.domain = sent / rate;
    return one;
  };
  const BytesPerSecond links = domain_rate(group.ranks, group.stride, network);
  const double share = costs.exchange_share * small_group_share(group.ranks, network);
  if (is_short) {
    const BytesPerSecond channels =
        (channels_max * network.intra_efficiency) * costs.message_channel_ll;
    cheapest.offer(candidate(Protocol::ll, floor, min(channels, share * links)));
  }
  constexpr std::int64_t few = 8;
  if (is_short && group.ranks >= few) return;
  cheapest.offer(
      candidate(Protocol::simple, floor + fill_of(sent, 1.0) * costs.simple.fill, share * links));
}

/// Send and receive inside a domain [docs/models.md, Eq. C-4].
Candidate domain_message(Bytes size, std::int64_t ranks, const Network& network) {
  const DomainCosts& costs = network.intra;
  const double channels = message_channels(size, ranks);
  Candidate candidate{.algorithm = Algorithm::direct};
  candidate.start = network.collective_overhead + network.intra_delay * costs.message_base;
  const bool is_short = size <= short_message;
  if (is_short) candidate.protocol = Protocol::ll;
  const BytesPerSecond most =
      min((costs.message_share * network.intra_efficiency) * network.intra_bandwidth,
          costs.simple.share * domain_rate(2, 1, network));
  const BytesPerSecond channel = is_short ? costs.message_channel_ll : costs.message_channel;
  candidate.domain = size / min((channels * network.intra_efficiency) * channel, most);
  return candidate;
}

}  // namespace

double fill_of(Bytes size, double factor) {
  return std::sqrt(std::min(size.value, gibibyte) * (factor / megabyte));
}

BytesPerSecond domain_rate(std::int64_t ranks, std::int64_t stride, const Network& network) {
  const BytesPerSecond nominal = network.intra_efficiency * network.intra_bandwidth;
  switch (network.domain) {
    case DomainKind::switched:
      return nominal;
    case DomainKind::direct:
      if (ranks < 2 || network.direct_peers == 0) return nominal;
      return std::min(1.0, (real(ranks) - 1.0) / network.direct_peers) * nominal;
    case DomainKind::cube_mesh: {
      if (ranks < 2) return nominal;
      const auto n = static_cast<std::size_t>(std::clamp<std::int64_t>(ranks, 0, 8));
      return static_cast<double>(network.rings[n]) * nominal;
    }
    case DomainKind::torus:
      return torus_span(ranks, stride, network).links * nominal;
  }
  SIM_ASSERT(false);
  return nominal;
}

BytesPerSecond ring_rate(std::int64_t ranks, std::int64_t stride, const Network& network) {
  return (small_group_share(ranks, network) * network.intra.simple.share) *
         domain_rate(ranks, stride, network);
}

BytesPerSecond exchange_rate(std::int64_t ranks, std::int64_t stride, const Network& network) {
  const double share = network.intra.exchange_share;
  if (network.domain == DomainKind::torus && ranks > 1) {
    const double sent = (real(ranks) - 1.0) / real(ranks);
    const TorusSpan span = torus_span(ranks, stride, network);
    return (share * network.intra_efficiency * sent / span.exchange) * network.intra_bandwidth;
  }
  return share * domain_rate(ranks, stride, network);
}

bool reduces_in_switch(std::int64_t ranks, const Network& network) {
  constexpr std::int64_t ring_ranks_max = 4;
  return network.domain == DomainKind::switched && network.intra.nvls_share > 0.0 &&
         ranks > ring_ranks_max;
}

Seconds domain_ring_start(double rounds, std::int64_t ranks, const Network& network) {
  const DomainCosts& costs = network.intra;
  if (ranks < 2) return {};
  const double steps = rounds * (real(ranks) - 1.0);
  const RingProtocol& ring = costs.ll.share > 0.0 ? costs.ll : costs.simple;
  return max(costs.ll_floor, ring.base + steps * ring.step);
}

Seconds domain_reduce_start(Bytes size, std::int64_t ranks, const Network& network) {
  const Seconds around = domain_ring_start(2.0, ranks, network);
  if (!reduces_in_switch(ranks, network)) return around;
  return min(around, network.intra.nvls_base + switch_fill(size, ranks, network));
}

BytesPerSecond switch_rate(const Network& network) {
  return (network.intra.nvls_share * network.intra_efficiency) * network.intra_bandwidth;
}

Seconds switch_fill(Bytes size, std::int64_t ranks, const Network& network) {
  return ((log2(real(ranks)) - 1.0) * fill_of(size, 1.0)) * network.intra.nvls_fill;
}

double message_channels(Bytes size, std::int64_t ranks) {
  const double chunks = size.value / channel_bytes;
  const double doubled = chunks < 1.0 ? 1.0 : power_of_two_below(chunks);
  const double each = power_of_two_below(std::max(1.0, channels_max / real(ranks)));
  return std::clamp(doubled, each, channels_max);
}

void offer_domain(Collective op, Bytes size, const Group& group, const Network& network,
                  Cheapest& cheapest) {
  if (network.domain == DomainKind::torus) {
    offer_torus(op, size, group, network, cheapest);
    return;
  }
  if (op == Collective::all_to_all) {
    if (cheapest.wants(Algorithm::direct)) offer_exchange(size, group, network, cheapest);
    return;
  }
  if (op == Collective::send_receive) {
    if (cheapest.wants(Algorithm::direct)) {
      cheapest.offer(domain_message(size, group.ranks, network));
    }
    return;
  }
  if (cheapest.wants(Algorithm::ring)) {
    offer_rings({.op = op,
                 .size = size,
                 .group = group,
                 .network = network,
                 .steps = ring_rounds(op) * (real(group.ranks) - 1.0),
                 .factor = bus_factor(op, group.ranks)},
                cheapest);
  }
  if (op == Collective::all_reduce && cheapest.wants(Algorithm::nvls)) {
    offer_nvls(size, group, network, cheapest);
  }
}

}  // namespace cubicbench::sim
