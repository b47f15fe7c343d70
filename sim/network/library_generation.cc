#include "sim/network/library_generation.h"

#include <algorithm>

namespace cubicbench::sim {

void limit_to_library(const Stack& stack, Network& network) {
  if (stack.network_trees || !network.inter.trees) return;
  network.inter.trees = false;
  constexpr double ring_share = 0.91;  // all-reduces of libraries without trees: 0.88 to 0.94
  FabricFamily& reduce = network.inter.reduce;
  reduce.share = std::min(reduce.share, ring_share);
}

}  // namespace cubicbench::sim
