#pragma once

#include "sim/network/candidate.h"

namespace cubicbench::sim {

/// What a further step between nodes takes with the Simple protocol. Source: NCCL's cost model.
inline constexpr Seconds network_step{14e-6};

/// Offers what a library can do with a group that spans domains [docs/models.md, Eq. C-9 to C-12].
void offer_fabric(Collective op, Bytes size, const Group& group, const Network& network,
                  Cheapest& cheapest);

/// Send and receive between domains.
Candidate fabric_message(Bytes size, const Group& group, const Network& network);

}  // namespace cubicbench::sim
