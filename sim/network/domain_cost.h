#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "sim/base/units.h"
#include "sim/hardware/network.h"

namespace cubicbench::sim {

/// Rate of the links of a GPU that `ranks` members of one domain can use for each other, one
/// direction [docs/models.md, Eq. C-8]. `stride`: ranks between neighbours, which only a torus
/// asks.
BytesPerSecond domain_rate(std::int64_t ranks, std::int64_t stride, const Network& network);

/// What rings of few ranks reach of the rate: 1 - loss / (n - 1).
inline double small_group_share(std::int64_t ranks, const Network& network) {
  return ranks < 2 ? 1.0 : 1.0 - network.intra.small_group_loss / (real(ranks) - 1.0);
}

/// What large ring collectives of `ranks` members reach.
BytesPerSecond ring_rate(std::int64_t ranks, std::int64_t stride, const Network& network);

/// What of a rank's buffer leaves it over the time of a large all-to-all among them.
BytesPerSecond exchange_rate(std::int64_t ranks, std::int64_t stride, const Network& network);

/// Can the switch of the domain reduce for `ranks` members? NCCL's tables have rings up to four.
inline bool reduces_in_switch(std::int64_t ranks, const Network& network) {
  constexpr std::int64_t ring_ranks_max = 4;
  return network.domain == DomainKind::switched && network.intra.nvls_share > 0.0 &&
         ranks > ring_ranks_max;
}

/// Start-up of a short ring of `rounds` among `ranks` members of one domain, and least start-up of
/// an all-reduce there.
Seconds domain_ring_start(double rounds, std::int64_t ranks, const Network& network);
Seconds domain_reduce_start(Bytes size, std::int64_t ranks, const Network& network);

/// Payload over time of a reduction in the switch when latency does not count.
BytesPerSecond switch_rate(const Network& network);

/// Fill of one: `costs.nvls_fill` for each doubling of its ranks beyond the first.
Seconds switch_fill(Bytes size, std::int64_t ranks, const Network& network);

/// sqrt(MB f): a pipeline's fill grows so up to 1 GiB, where chunks stop growing.
inline double fill_of(Bytes size, double factor) {
  constexpr double megabyte = 1e6;
  constexpr double gibibyte = 1073741824.0;
  return std::sqrt(std::min(size.value, gibibyte) * (factor / megabyte));
}

}  // namespace cubicbench::sim
