#include "sim/network/collective.h"

#include <gtest/gtest.h>

#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

constexpr Bytes gigabyte{1e9};

TEST(Collective, CountsNodes) {
  EXPECT_EQ(nodes_of({.ranks = 8, .ranks_per_node = 8}), 1);
  EXPECT_EQ(nodes_of({.ranks = 12, .ranks_per_node = 8}), 2);
  EXPECT_EQ(nodes_of({.ranks = 128, .ranks_per_node = 1}), 128);
}

TEST(AllGather, MatchesHandComputedTimes) {
  struct Case {
    const char* name;
    Group group;
    double expected_s;
  };
  // In a node 450 x 0.8 = 360 GB/s; across, 45 GB/s for each rank of the group on the node.
  for (const Case& c :
       {Case{"one rank is free", {1, 1}, 0.0},
        Case{"two ranks in a node", {2, 2}, 10e-6 + 1e-6 + 0.5 * 1e9 / 360e9},
        Case{"a node", {8, 8}, 10e-6 + 7e-6 + 7.0 / 8.0 * 1e9 / 360e9},
        Case{"one rank on each of four nodes", {4, 1}, 10e-6 + 3 * 5e-6 + 0.75 * 1e9 / 45e9},
        Case{"four nodes of two", {8, 2}, 10e-6 + 1e-6 + 3 * 5e-6 + 7.0 / 8.0 * 1e9 / 90e9},
        Case{"full nodes are bound by NVLink when the NICs add up to more",
             {16, 8},
             10e-6 + 7e-6 + 5e-6 + 15.0 / 16.0 * 1e9 / 360e9}}) {
    SCOPED_TRACE(c.name);
    EXPECT_NEAR(all_gather(gigabyte, c.group, round_network()).value, c.expected_s, 1e-12);
  }
}

TEST(DirectLinks, AGroupHasOnlyTheLinksToEachOther) {
  Network network = round_network();
  network.direct_peers = 3;  // four GPUs, a third of 360 GB/s to each of the others
  struct Case {
    const char* name;
    Group group;
    double expected_s;
  };
  for (const Case& c :
       {Case{"two of four", {2, 2}, 10e-6 + 1e-6 + 0.5 * 1e9 / 120e9},
        Case{"three of four", {3, 3}, 10e-6 + 2e-6 + 2.0 / 3.0 * 1e9 / 240e9},
        Case{"all four", {4, 4}, 10e-6 + 3e-6 + 0.75 * 1e9 / 360e9},
        Case{"one GPU a node uses no link", {4, 1}, 10e-6 + 3 * 5e-6 + 0.75 * 1e9 / 45e9}}) {
    SCOPED_TRACE(c.name);
    EXPECT_NEAR(all_gather(gigabyte, c.group, network).value, c.expected_s, 1e-12);
  }
  EXPECT_NEAR(point_to_point(gigabyte, false, network).value, 1e-6 + 1e9 / 120e9, 1e-12);
}

TEST(AllReduce, IsTheFasterOfRingAndTree) {
  const Group wide{.ranks = 1024, .ranks_per_node = 1};
  // 8 bytes on 1,024 nodes: a ring would take 2,046 network steps, the tree 2 x 10.
  const Seconds small = all_reduce(8_B, wide, round_network());
  EXPECT_NEAR(small.value, 10e-6 + 20 * 5e-6, 1e-8);
  const Group node{.ranks = 8, .ranks_per_node = 8};
  const Seconds large = all_reduce(gigabyte, node, round_network());
  EXPECT_NEAR(large.value, 10e-6 + 14e-6 + 2.0 * 7.0 / 8.0 * 1e9 / 360e9, 1e-12);
}

TEST(Broadcast, PassesTheWholeBufferFromRankToRank) {
  struct Case {
    const char* name;
    Group group;
    double expected_s;
  };
  for (const Case& c :
       {Case{"one rank is free", {1, 1}, 0.0}, Case{"a node", {8, 8}, 10e-6 + 7e-6 + 1e9 / 360e9},
        Case{"one rank on each of four nodes", {4, 1}, 10e-6 + 3 * 5e-6 + 1e9 / 45e9}}) {
    SCOPED_TRACE(c.name);
    EXPECT_NEAR(broadcast(gigabyte, c.group, round_network()).value, c.expected_s, 1e-12);
  }
}

TEST(PointToPoint, PaysTheLinkItUses) {
  EXPECT_NEAR(point_to_point(gigabyte, false, round_network()).value, 1e-6 + 1e9 / 360e9, 1e-15);
  EXPECT_NEAR(point_to_point(gigabyte, true, round_network()).value, 5e-6 + 1e9 / 45e9, 1e-15);
}

}  // namespace
}  // namespace cubicbench::sim
