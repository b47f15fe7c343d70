#pragma once

#include <cstdint>
#include <optional>

#include "sim/hardware/network.h"
#include "sim/network/collective.h"
#include "sim/network/collective_load.h"
#include "sim/network/topology.h"

namespace cubicbench::sim {

/// Bytes per second of every bundle: what its cables have, times what `network` reaches of that; 1
/// to half of link_rate_max.
IdVector<BundleId, std::int64_t> link_capacities(const Topology& topology, const Network& network);

/// The most bytes of a collective's size per second, once its start is over, at any size. Nothing
/// where the group cannot run `algorithm`.
std::optional<BytesPerSecond> payload_rate_max(Collective op, Algorithm algorithm,
                                               const Group& group, const Network& network);

/// Rate of the flow of `flow_bytes` while a collective of `size` runs alone: what LinkSharing calls
/// a cap. 1 to half of link_rate_max.
std::int64_t flow_cap(const CollectiveLoad& load, Bytes size, const CollectiveCost& cost);

}  // namespace cubicbench::sim
