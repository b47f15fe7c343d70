#pragma once

#include "sim/engine/event/step_script.h"
#include "sim/network/collective.h"
#include "sim/program/operation.h"

namespace cubicbench::sim {

/// `times` collectives in a row of `bytes` each, and `wait` more of latency in all. Nothing for one
/// rank or no bytes.
Transfer transfer(Collective op, Bytes bytes, double times, const Group& group,
                  const Network& network, Seconds wait = {});

/// What an operation on a stream of collectives moves; gathers stand for scatters as well.
Transfer transfer(const Operation& op, const Group& group, const Network& network,
                  Seconds wait = {});

/// `share` of a transfer: fewer bytes, and as much less time.
Transfer part_of(const Transfer& whole, double share);

/// What `part` leaves of `whole`.
Transfer rest_of(const Transfer& whole, const Transfer& part);

}  // namespace cubicbench::sim
