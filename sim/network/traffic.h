#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/units.h"
#include "sim/network/collective.h"

namespace cubicbench::sim {

constexpr std::int64_t no_parent = -1;

/// Parent of `node` in one of the two binary trees over `nodes` that NCCL sends half of the data
/// through each; no_parent for the root. In the first a node's height is the number of zeros at the
/// end of its number; the second is its mirror image, or with an odd number of nodes the first
/// shifted by one, so that almost nobody has children in both.
/// Source: NCCL, src/graph/trees.cc, ncclGetBtree and ncclGetDtree; Sanders, Speck, Traeff,
/// "Two-tree algorithms for full bandwidth broadcast, reduction and scan", Parallel Computing 35,
/// 2009. Requires 0 <= node < nodes.
std::int64_t first_tree_parent(std::int64_t node, std::int64_t nodes);
std::int64_t second_tree_parent(std::int64_t node, std::int64_t nodes);

/// Ends of a flow that are no rank: the switch of a domain (one for each domain) and the switches
/// of the fabric, where they reduce or copy.
constexpr std::int64_t in_domain_switch = -1;
constexpr std::int64_t in_fabric_switch = -2;

/// All that one rank sends to another in one phase of a collective. What an algorithm sends there
/// in many steps is one flow: the steps share their fate.
struct Flow {
  std::int64_t from = 0;  ///< rank of the group, or a switch
  std::int64_t to = 0;
  Bytes bytes;
  int phase = 0;  ///< phases follow on one another

  bool operator==(const Flow&) const = default;
};

/// Whether `algorithm` is a way to run `op` on `group`, as far as who sends what is concerned.
bool has_traffic(Collective op, Algorithm algorithm, const Group& group);

/// The flows of a collective of `size` bytes (convention of nccl-tests) on `group`, whose ranks
/// fill its domains in order; the root of a broadcast is rank 0. Buffers are divided evenly,
/// fractions of a byte included. Nothing for one rank. Direct algorithms have n (n - 1) flows.
/// Requires has_traffic().
std::vector<Flow> traffic(Collective op, Algorithm algorithm, Bytes size, const Group& group);

/// What the flows of a collective add up to, over all phases.
struct Volume {
  Bytes ranks;     ///< sent by ranks
  Bytes switches;  ///< sent by switches that reduce or copy
  Bytes across;    ///< of both, what passes an adapter: between domains, or to and from the fabric
};

/// The sums of traffic() in closed form. Requires has_traffic().
Volume volume(Collective op, Algorithm algorithm, Bytes size, const Group& group);

}  // namespace cubicbench::sim
