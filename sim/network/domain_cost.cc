#include "sim/network/domain_cost.h"

#include <algorithm>

#include "sim/base/check.h"
#include "sim/base/numeric.h"
#include "sim/base/units.h"
#include "sim/network/torus.h"

namespace cubicbench::sim {

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

}  // namespace cubicbench::sim
