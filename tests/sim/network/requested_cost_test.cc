#include "sim/network/requested_cost.h"

#include <gtest/gtest.h>

#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

constexpr Bytes gigabyte{1e9};
constexpr Group four_nodes{.ranks = 32, .ranks_per_node = 8};

double time_of(Collective op, Algorithm algorithm, const Group& group,
               const Network& network = round_network()) {
  const auto cost = requested_cost(op, algorithm, gigabyte, group, network);
  return cost ? cost->time().value : 0.0;
}

// In a node 360 GB/s, 1 us a step after 10; between nodes 45 GB/s a rank, 14 us a step after 15.
TEST(RequestedCost, MatchesHandComputedTimes) {
  // In a node and between nodes, one after the other: 2 x 7/8 and 2 x 3/4 of an eighth a rank.
  EXPECT_NEAR(time_of(Collective::all_reduce, Algorithm::hierarchical, four_nodes),
              15e-6 + 14e-6 + 6 * 14e-6 + 1.75e9 / 360e9 + 1.5e9 / 360e9, 1e-12);
  EXPECT_NEAR(time_of(Collective::all_gather, Algorithm::hierarchical, four_nodes),
              15e-6 + 7e-6 + 3 * 14e-6 + (31.0 - 3.0) / 32 * 1e9 / 360e9 + 0.75e9 / 360e9, 1e-12);
  // The whole buffer to a partner at 1, 2, 4 inside and at 8, 16 through one adapter of 45 GB/s.
  EXPECT_NEAR(time_of(Collective::all_reduce, Algorithm::recursive_doubling, four_nodes),
              15e-6 + 3e-6 + 2 * 14e-6 + 2e9 / 45e9, 1e-12);
  // Up once and down once, whatever the nodes.
  EXPECT_NEAR(time_of(Collective::all_reduce, Algorithm::in_network, four_nodes),
              15e-6 + 14e-6 + 2 * 14e-6 + 1.75e9 / 360e9, 1e-12);
  EXPECT_NEAR(time_of(Collective::all_gather, Algorithm::pat, {.ranks = 16, .ranks_per_node = 1}),
              15e-6 + 4 * 14e-6 + 15.0 / 16.0 * 1e9 / 45e9, 1e-12);
  EXPECT_NEAR(time_of(Collective::all_reduce, Algorithm::recursive_doubling,
                      {.ranks = 8, .ranks_per_node = 8}),
              10e-6 + 3e-6 + 3e9 / 360e9, 1e-12);
  EXPECT_NEAR(time_of(Collective::all_gather, Algorithm::direct, {.ranks = 8, .ranks_per_node = 8}),
              10e-6 + 1e-6 + 7.0 / 8.0 * 1e9 / 360e9, 1e-12);
}

TEST(RequestedCost, SaysWhatIsNoWay) {
  const Group node{.ranks = 8, .ranks_per_node = 8};
  EXPECT_FALSE(
      requested_cost(Collective::all_to_all, Algorithm::pat, gigabyte, node, round_network()));
  EXPECT_FALSE(
      requested_cost(Collective::all_gather, Algorithm::nvls, gigabyte, node, round_network()));
  EXPECT_FALSE(
      requested_cost(Collective::broadcast, Algorithm::direct, gigabyte, node, round_network()));
}

TEST(RequestedCost, LeavesAloneWhatHasCostsOfItsOwn) {
  const Group node{.ranks = 8, .ranks_per_node = 8};
  const auto cost = [&](Collective op, Algorithm algorithm) {
    return requested_cost(op, algorithm, gigabyte, node, round_network());
  };
  EXPECT_FALSE(cost(Collective::send_receive, Algorithm::ring));
  EXPECT_FALSE(cost(Collective::all_reduce, Algorithm::nvls_tree));
  EXPECT_FALSE(cost(Collective::all_to_all, Algorithm::hierarchical));
}

TEST(RequestedCost, IsNeverWhatALibraryTakesByItself) {
  for (const std::int64_t nodes : {1, 2, 16}) {
    const Group group{.ranks = 8 * nodes, .ranks_per_node = 8};
    const Algorithm chosen =
        collective_cost(Collective::all_gather, gigabyte, group, round_network()).algorithm;
    EXPECT_EQ(chosen, Algorithm::ring);
  }
}

}  // namespace
}  // namespace cubicbench::sim
