#pragma once

#include "sim/network/candidate.h"

namespace cubicbench::sim {

/// Offers what a library can do with a group that spans domains [docs/models.md, Eq. C-9 to C-12].
void offer_fabric(Collective op, Bytes size, const Group& group, const Network& network,
                  Cheapest& cheapest);

/// Send and receive between domains.
Candidate fabric_message(Bytes size, const Group& group, const Network& network);

}  // namespace cubicbench::sim
