#pragma once

#include <cstdint>

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

}  // namespace cubicbench::sim
