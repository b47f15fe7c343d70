#include "sim/network/torus.h"

#include <algorithm>
#include <cmath>

#include "sim/base/units.h"
#include "sim/network/domain_cost.h"

namespace cubicbench::sim {
namespace {

std::int64_t ceil_of(std::int64_t number, std::int64_t by) { return (number + by - 1) / by; }

constexpr std::int64_t ring_min = 3;  // an axis of two has one link a chip

void add(const TorusLine& line, TorusSpan& span) {
  const double m = real(line.members);
  const double gap = real(line.gap);
  const double ways = line.closed ? 2.0 : 1.0;
  span.links += ways / gap;
  span.hops += gap * (line.closed ? std::floor(0.5 * m) : m - 1.0);
  span.exchange = std::max(span.exchange, gap * std::floor(0.25 * m * m) / (ways * m));
}

struct TorusCall {
  Bytes size;
  const Network& network;
  TorusSpan span;
  BytesPerSecond link;
};

void offer(const TorusCall& call, Algorithm algorithm, Seconds start, Seconds transfer,
           Cheapest& cheapest) {
  Candidate candidate{.algorithm = algorithm};
  candidate.start = call.network.collective_overhead + call.network.intra_delay * start;
  candidate.domain = transfer;
  cheapest.offer(candidate);
}

/// Rings of both directions on all axes at once, each axis with its part of the buffer; one axis
/// after the other for every part, so that steps add up.
void offer_rings(Collective op, std::int64_t ranks, const TorusCall& call, Cheapest& cheapest) {
  const RingProtocol& rings = call.network.intra.simple;
  const double rounds = op == Collective::all_reduce ? 2.0 : 1.0;
  const double factor = bus_factor(op, ranks);
  const Seconds start =
      rings.base + (rounds * call.span.hops) * rings.step + fill_of(call.size, factor) * rings.fill;
  offer(call, Algorithm::ring, start,
        factor * (call.size / ((rings.share * call.span.links) * call.link)), cheapest);
}

void offer_exchange(const TorusCall& call, Cheapest& cheapest) {
  const DomainCosts& costs = call.network.intra;
  const Seconds start = costs.exchange_floor + call.span.hops * costs.simple.step;
  offer(call, Algorithm::direct, start,
        call.span.exchange * (call.size / (costs.exchange_share * call.link)), cheapest);
}

void offer_message(const TorusCall& call, Cheapest& cheapest) {
  const DomainCosts& costs = call.network.intra;
  const Seconds start = costs.message_base + call.span.shift * costs.simple.step;
  offer(call, Algorithm::direct, start,
        call.span.shift * (call.size / (costs.message_share * call.link)), cheapest);
}

}  // namespace

TorusLines torus_lines(const std::array<int, torus_axes_max>& axes, bool wraps, std::int64_t ranks,
                       std::int64_t apart) {
  TorusLines lines;
  std::int64_t stride = 1;
  for (const int axis : axes) {
    const std::int64_t length = std::max(axis, 1);
    if (ranks <= 1) break;
    if (apart >= length) {
      apart = ceil_of(apart, length);
    } else {
      const std::int64_t members = std::min(ranks, length / apart);
      const bool closed = wraps && length >= ring_min && members * apart == length;
      if (members > 1) lines.line[lines.count++] = {stride, length, members, apart, closed};
      ranks = ceil_of(ranks, members);
      apart = 1;
    }
    stride *= length;
  }
  return lines;
}

TorusSpan torus_span(std::int64_t ranks, std::int64_t stride, const Network& network) {
  const TorusLines lines = torus_lines(network.torus, network.torus_wraps, ranks, stride);
  TorusSpan span;
  for (const TorusLine& line : lines.all()) add(line, span);
  if (lines.count == 0) {
    span.links = 1.0;
    return span;
  }
  const TorusLine& first = lines.line[0];
  const bool round = network.torus_wraps && first.length >= ring_min;
  span.shift = real(round ? std::min(first.gap, first.length - first.gap) : first.gap);
  return span;
}

void offer_torus(Collective op, Bytes size, const Group& group, const Network& network,
                 Cheapest& cheapest) {
  const TorusCall call{.size = size,
                       .network = network,
                       .span = torus_span(group.ranks, group.stride, network),
                       .link = network.intra_efficiency * network.intra_bandwidth};
  const bool direct = op == Collective::all_to_all || op == Collective::send_receive;
  if (!cheapest.wants(direct ? Algorithm::direct : Algorithm::ring)) return;
  if (op == Collective::all_to_all) return offer_exchange(call, cheapest);
  if (op == Collective::send_receive) return offer_message(call, cheapest);
  offer_rings(op, group.ranks, call, cheapest);
}

}  // namespace cubicbench::sim
