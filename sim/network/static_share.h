#pragma once

#include <span>
#include <vector>

#include "sim/base/units.h"
#include "sim/network/routes.h"
#include "sim/network/topology.h"

namespace cubicbench::sim {

/// Traffic that goes on all the time, at `demand` if nothing holds it up.
struct SteadyFlow {
  Route route;
  BytesPerSecond demand;
};

/// How flows that have several equal ways take them.
enum class Spreading : std::uint8_t {
  hashed,  ///< each keeps the one of its route: ECMP, with its collisions
  even,    ///< all of them alike: packet spraying, adaptive routing
};

/// Share of its demand that each flow keeps when all run at once: the least, over the links of its
/// route, of rate over the sum of what is demanded of the link; at most 1. Static: a flow held up
/// elsewhere still counts in full, so a link may stay partly idle where max-min sharing would fill
/// it. With even spreading a bundle of cables counts as one link.
std::vector<double> static_shares(const Topology& topology, std::span<const SteadyFlow> flows,
                                  Spreading spreading);

/// What the members of a group (GPUs in ring order) send all the time when it runs a large
/// collective. Between domains member i of one sends to member i of the next (the last to the
/// first) at the rate of its adapter; inside, each to the next at the rate of its links. Requires
/// members of a domain to follow on one another.
std::vector<SteadyFlow> ring_flows(const Topology& topology, std::span<const std::int64_t> group);

/// The same of an all-to-all: every adapter divides its rate among the members of other domains,
/// every GPU that of its links among those of its own.
std::vector<SteadyFlow> all_to_all_flows(const Topology& topology,
                                         std::span<const std::int64_t> group);

}  // namespace cubicbench::sim
