#include <gtest/gtest.h>

#include "sim/network/collective.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

TEST(LibraryGeneration, WithoutTreesAllReducesGoRoundRings) {
  Network network = round_network();
  network.inter.trees = true;
  network.intra_bandwidth = 900_GBps;
  network.inter.reduce.share = 0.97;
  const Group pair{.ranks = 16, .ranks_per_node = 8};
  const auto reduce = [&](bool trees) {
    Stack stack = round_stack();
    stack.network_trees = trees;
    Network limited = network;
    limit_to_library(stack, limited);
    return collective_cost(Collective::all_reduce, Bytes{1e9}, pair, limited);
  };
  EXPECT_EQ(reduce(true).algorithm, Algorithm::tree);
  EXPECT_EQ(reduce(false).algorithm, Algorithm::ring);
  // 15/8 of a gigabyte over eight adapters of 50 GB/s, of which rings reach 0.91.
  EXPECT_NEAR(reduce(false).time.value, 15e-6 + 1.875e9 / 364e9, 1e-12);
}

}  // namespace
}  // namespace cubicbench::sim
