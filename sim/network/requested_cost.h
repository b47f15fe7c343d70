#pragma once

#include <optional>

#include "sim/base/units.h"
#include "sim/network/candidate.h"
#include "sim/network/collective.h"

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

/// What the flows of a collective add up to, over all phases.
struct Volume {
  Bytes ranks;     ///< sent by ranks
  Bytes switches;  ///< sent by switches that reduce or copy
  Bytes across;    ///< of both, what passes an adapter: between domains, or to and from the fabric
};

// clang-format off
/// The sums of traffic() in closed form. n ranks in N domains of r, S bytes:
///
///                       ranks                          switches         across (N > 1)
///   ring                2 (n-1) | n-1 | n                               N 2 (n-1)/n | N (n-1)/n | N - 1 | N
///   tree                2 (n-1)                                         2 (N-1)
///   nvls                n + 1 | 1 | n                  n + 1 | n | 1
///   nvls_tree           N (r+1) + 2 (N-1)              N (r+1)          2 (N-1)
///   in_network          N (2r - 1)                     N                2 N
///   pat                 n-1                                             n-1
///   recursive_doubling  p log2 p + 2 (n-p) | n-1                        p log2(p/r) + 2 (n-p) | n - r
///   hierarchical        2 (n-1) | n-1                                   2 (N-1) | N-1
///   all-to-all          n ((r-1)/r + (N-1)/N)                           n (N-1)/N
///   direct              2 (n-1) | n-1 | n                               2 c | c, c = (n^2 - sum n_k^2) / n
///
/// in units of S; p is the largest power of two up to n, n_k the ranks of domain k. Where several
/// stand: all-reduce, gather or scatter (nvls: gather, then scatter), then broadcast or
/// send/receive. Requires has_traffic().
// clang-format on
Volume volume(Collective op, Algorithm algorithm, Bytes size, const Group& group);

}  // namespace cubicbench::sim
