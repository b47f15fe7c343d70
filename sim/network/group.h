#pragma once

#include <cstdint>

#include "sim/base/units.h"

namespace cubicbench::sim {

/// A communicator as its network sees it.
struct Group {
  std::int64_t ranks = 1;
  /// Members that share a fast domain, 1 <= ranks_per_node <= ranks.
  std::int64_t ranks_per_node = 1;
  // What placement adds: what oversubscribed tiers leave of an adapter's rate, when all groups of
  // the job that are alike run at once.
  double ring_share = 1.0;        ///< of rings and trees
  double all_to_all_share = 1.0;  ///< of all-to-alls
  Seconds ring_hop{};             ///< what tiers add to a network step of a ring
  Seconds tree_hop{};             ///< and to one of a tree
  std::int64_t stride = 1;        ///< ranks between neighbours: where in a torus they lie

  bool operator==(const Group&) const = default;
};

/// Fast domains (nodes, unless a domain has several) that `group` touches, rounded up.
inline std::int64_t nodes_of(const Group& group) {
  return (group.ranks + group.ranks_per_node - 1) / group.ranks_per_node;
}

}  // namespace cubicbench::sim
