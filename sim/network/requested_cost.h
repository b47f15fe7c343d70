#pragma once

#include <optional>

#include "sim/network/collective_call.h"

namespace cubicbench::sim {

/// A collective by an algorithm that libraries do not choose by themselves: trees and recursive
/// doubling inside a domain, hierarchical rings, PAT, reduction in the switches of the fabric, all
/// pairs at once [docs/models.md, Eq. C-13]:
///
///   base + k_in step_in + k_out step_out + fill + max(V_in / B_in, V_out / W)
///
/// Steps are counted on the critical path, volumes are those of traffic.h; constants are those of
/// rings with the Simple protocol. Phases of hierarchical algorithms follow on one another, so
/// their volumes add. Nothing where `algorithm` is no way to run `op` on `group`.
std::optional<Candidate> requested_cost(Collective op, Algorithm algorithm, Bytes size,
                                        const Group& group, const Network& network);

}  // namespace cubicbench::sim
