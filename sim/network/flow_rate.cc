#include <algorithm>
#include <cmath>

#include "sim/network/collective_load.h"
#include "sim/network/link_sharing.h"

namespace cubicbench::sim {
namespace {

std::int64_t whole_rate(double rate) {
  constexpr double most = 0.5 * static_cast<double>(link_rate_max);
  return static_cast<std::int64_t>(std::clamp(std::nearbyint(rate), 1.0, most));
}

}  // namespace

IdVector<BundleId, std::int64_t> link_capacities(const Topology& topology, const Network& network) {
  IdVector<BundleId, std::int64_t> capacities(topology.bundles.size());
  for (std::size_t i = 0; i < topology.bundles.size(); ++i) {
    const BundleId bundle = id_at<BundleId>(i);
    const bool in_domain = i < topology.domain_bundles;
    const double share = in_domain ? network.intra_efficiency : network.inter_efficiency;
    capacities[bundle] = whole_rate(share * topology.bundles[bundle].value);
  }
  return capacities;
}

std::optional<BytesPerSecond> payload_rate_max(Collective op, Algorithm algorithm,
                                               const Group& group, const Network& network) {
  // Rates change with the protocol, and those of messages with their channels, at powers of two.
  BytesPerSecond most;
  for (double size = 256.0; size < 1e12; size *= 2.0) {
    const auto cost = collective_cost(op, Bytes{size}, group, network, algorithm);
    if (!cost) return std::nullopt;
    if (cost->time > cost->start) most = max(most, Bytes{size} / (cost->time - cost->start));
  }
  return most;
}

std::int64_t flow_cap(const CollectiveLoad& load, Bytes size, const CollectiveCost& cost) {
  const Seconds flowing = cost.time - cost.start;
  if (!(flowing > Seconds{}) || load.flow_bytes <= 0.0) return 1;
  return whole_rate(load.flow_bytes * size.value / flowing.value);
}

}  // namespace cubicbench::sim
