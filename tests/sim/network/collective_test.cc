#include "sim/network/collective.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

constexpr Bytes gigabyte{1e9};

// In a node 450 x 0.8 = 360 GB/s.
double ring_in_node(double factor) { return factor * 1e9 / 360e9; }

TEST(Group, CountsNodes) {
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
  // Across, 45 GB/s for each rank of the group on the node; 15 us between two nodes of
  // eight, 14 us for each node more, 1 us for each step inside beyond theirs.
  for (const Case& c :
       {Case{"one rank is free", {1, 1}, 0.0},
        Case{"two ranks in a node", {2, 2}, 10e-6 + 1e-6 + ring_in_node(0.5)},
        Case{"a node", {8, 8}, 10e-6 + 7e-6 + ring_in_node(7.0 / 8.0)},
        Case{"one rank on each of four nodes", {4, 1}, 15e-6 + 2 * 14e-6 + 0.75 * 1e9 / 45e9},
        Case{"four nodes of two", {8, 2}, 15e-6 + 2 * 14e-6 + 7.0 / 8.0 * 1e9 / 90e9},
        Case{"four nodes of eight: 14 steps inside more than two nodes have",
             {32, 8},
             15e-6 + 2 * 14e-6 + 14 * 1e-6 + ring_in_node(31.0 / 32.0)},
        Case{"full nodes are bound by NVLink when the NICs add up to more",
             {16, 8},
             15e-6 + ring_in_node(15.0 / 16.0)}}) {
    SCOPED_TRACE(c.name);
    EXPECT_NEAR(all_gather(gigabyte, c.group, round_network()).value, c.expected_s, 1e-12);
    EXPECT_EQ(collective_cost(Collective::reduce_scatter, gigabyte, c.group, round_network()).time,
              all_gather(gigabyte, c.group, round_network()));
  }
}

TEST(DirectLinks, AGroupHasOnlyTheLinksToEachOther) {
  Network network = round_network();
  network.domain = DomainKind::direct;
  network.direct_peers = 3;  // four GPUs, a third of 360 GB/s to each of the others
  struct Case {
    const char* name;
    Group group;
    double expected_s;
  };
  for (const Case& c :
       {Case{"two of four", {2, 2}, 10e-6 + 1e-6 + 3.0 * ring_in_node(0.5)},
        Case{"three of four", {3, 3}, 10e-6 + 2e-6 + 1.5 * ring_in_node(2.0 / 3.0)},
        Case{"all four", {4, 4}, 10e-6 + 3e-6 + ring_in_node(0.75)},
        Case{"one GPU a node uses no link", {4, 1}, 15e-6 + 2 * 14e-6 + 0.75 * 1e9 / 45e9}}) {
    SCOPED_TRACE(c.name);
    EXPECT_NEAR(all_gather(gigabyte, c.group, network).value, c.expected_s, 1e-12);
  }
  EXPECT_NEAR(send_receive(gigabyte, {2, 2}, network).value, 1e-6 + 1e9 / 120e9, 1e-12);
}

TEST(CubeMesh, HasTheRingsThatItsLinksForm) {
  Network network = round_network();
  network.domain = DomainKind::cube_mesh;
  network.rings = {0, 0, 1, 1, 4, 0, 0, 0, 6};
  network.intra_bandwidth = 25_GBps;
  const double four = 10e-6 + 3e-6 + 0.75 * 1e9 / (0.8 * 4 * 25e9);
  EXPECT_NEAR(all_gather(gigabyte, {4, 4}, network).value, four, 1e-12);
}

TEST(Protocols, TheFasterCounts) {
  Network network = round_network();
  network.intra.ll = {.share = 0.1, .base = 4_us, .step = 0.5_us, .fill = {}};
  network.intra.ll_floor = 9_us;
  const Group node{.ranks = 8, .ranks_per_node = 8};
  // LL's floor counts until its steps are more; at 1 GB its tenth of the rate is slower.
  EXPECT_NEAR(all_gather(8_B, node, network).value, 9e-6 + 7.0 / 8.0 * 8 / 45e9, 1e-12);
  EXPECT_NEAR(all_reduce(8_B, node, network).value, 11e-6 + 14.0 / 8.0 * 8 / 45e9, 1e-12);
  EXPECT_NEAR(all_gather(gigabyte, node, network).value, 17e-6 + ring_in_node(7.0 / 8.0), 1e-12);
  EXPECT_EQ(collective_cost(Collective::all_gather, 8_B, node, network).protocol, Protocol::ll);
  EXPECT_EQ(collective_cost(Collective::all_gather, 8_B, node, network).bottleneck,
            Bottleneck::latency);
  const CollectiveCost large = collective_cost(Collective::all_gather, gigabyte, node, network);
  EXPECT_EQ(large.protocol, Protocol::simple);
  EXPECT_EQ(large.bottleneck, Bottleneck::domain);
}

TEST(SmallGroups, LoseAShareOfTheRing) {
  Network network = round_network();
  network.intra.small_group_loss = 0.3;
  EXPECT_NEAR(all_gather(gigabyte, {2, 2}, network).value, 11e-6 + ring_in_node(0.5) / 0.7, 1e-12);
  EXPECT_NEAR(all_gather(gigabyte, {4, 4}, network).value, 13e-6 + ring_in_node(0.75) / 0.9, 1e-12);
}

TEST(Nvls, ReducesInTheSwitchOfMoreThanFourRanks) {
  Network network = round_network();
  network.intra.nvls_share = 0.6;
  network.intra.nvls_base = 40_us;
  network.intra.nvls_fill = 5_us;
  for (const std::int64_t n : {8, 64}) {
    // The fill grows with the doublings beyond the first: 2 of 8 ranks, 5 of 64.
    const double fill = (n == 8 ? 2.0 : 5.0) * 5e-6 * std::sqrt(1000.0);
    const CollectiveCost cost = collective_cost(Collective::all_reduce, gigabyte, {n, n}, network);
    EXPECT_EQ(cost.algorithm, Algorithm::nvls);
    EXPECT_NEAR(cost.time.value, 40e-6 + fill + 1e9 / 270e9, 1e-12);
  }
  EXPECT_EQ(collective_cost(Collective::all_reduce, gigabyte, {4, 4}, network).algorithm,
            Algorithm::ring);
  network.domain = DomainKind::direct;  // no switch that could
  EXPECT_FALSE(collective_cost(Collective::all_reduce, gigabyte, {8, 8}, network, Algorithm::nvls));
}

double tree_time(const Group& group, const Network& network, Algorithm algorithm) {
  const auto cost = collective_cost(Collective::all_reduce, gigabyte, group, network, algorithm);
  return cost ? cost->time.value : 0.0;
}

TEST(Trees, SendOnceBetweenTwoNodesAndTwiceAmongMore) {
  Network network = round_network();
  network.inter.trees = true;
  network.inter.reduce.fill = 2_us;
  const double fill = 2e-6 * std::sqrt(1000.0);
  EXPECT_NEAR(tree_time({2, 1}, network, Algorithm::tree), 15e-6 + fill + 1e9 / 45e9, 1e-12);
  // Three levels: 2 x 2 steps of 14 us more, the fill of (1 + 3) / 2 levels.
  EXPECT_NEAR(tree_time({8, 1}, network, Algorithm::tree),
              15e-6 + 4 * 14e-6 + 2.0 * fill + 2e9 / 45e9, 1e-12);
  network.inter.reduce.share_many = 0.45;
  EXPECT_NEAR(tree_time({2, 1}, network, Algorithm::tree), 15e-6 + fill + 1e9 / 45e9, 1e-12);
  EXPECT_NEAR(tree_time({8, 1}, network, Algorithm::tree),
              15e-6 + 4 * 14e-6 + 2.0 * fill + 2e9 / 22.5e9, 1e-12);
}

TEST(Trees, ChainTheGpusOfANodeOrReduceInItsSwitch) {
  Network network = round_network();
  network.inter.trees = true;
  network.inter_bandwidth = 500_GBps;  // the node is the slower part
  EXPECT_NEAR(tree_time({16, 8}, network, Algorithm::tree), 15e-6 + 2e9 / (0.92 * 360e9), 1e-12);
  EXPECT_FALSE(
      collective_cost(Collective::all_reduce, gigabyte, {16, 8}, network, Algorithm::nvls_tree));
  network.intra.nvls_share = 0.6;
  network.intra.nvls_fill = 5_us;
  EXPECT_NEAR(tree_time({16, 8}, network, Algorithm::nvls_tree),
              15e-6 + 2.0 * 5e-6 * std::sqrt(1000.0) + 1e9 / (0.95 * 270e9), 1e-12);
}

TEST(Trees, BeatRingsOfManyNodesWhenThereIsLittleToSend) {
  Network network = round_network();
  network.inter.trees = true;
  const Group wide{.ranks = 1024, .ranks_per_node = 1};
  // A ring would take 2,044 network steps more than two nodes do, a tree of ten levels 18.
  EXPECT_NEAR(all_reduce(8_B, wide, network).value, 15e-6 + 18 * 14e-6, 1e-8);
  EXPECT_EQ(collective_cost(Collective::all_reduce, 8_B, wide, network).algorithm, Algorithm::tree);
  network.inter.reduce.low_share = 0.02;
  network.inter.reduce.low_base = 12_us;
  EXPECT_NEAR(all_reduce(8_B, wide, network).value, 12e-6 + 18 * 5e-6 + 8 / 1e9, 1e-12);
}

TEST(Rings, GoRoundLargeDomainsToo) {
  // Two racks of 72: 144 - 2 steps inside, 14 of which are in the start-up of two nodes.
  EXPECT_NEAR(all_gather(8_B, {144, 72}, round_network()).value, 15e-6 + 128e-6, 1e-9);
}

TEST(Rings, CrossTheNodeWithTheFewestMembers) {
  // Eight ranks and one: all bytes pass the one adapter of the ninth.
  EXPECT_NEAR(all_gather(gigabyte, {9, 8}, round_network()).value, 15e-6 + 8.0 / 9.0 * 1e9 / 45e9,
              1e-12);
}

TEST(ShortAllReduces, ClimbATreeThatStartsNoSoonerThanItsDomains) {
  Network network = round_network();  // without trees for long ones
  network.inter.reduce.low_share = 0.02;
  network.inter.reduce.low_base = 30_us;
  const auto cost = [&](const Group& group) {
    return collective_cost(Collective::all_reduce, 8_B, group, network);
  };
  EXPECT_EQ(cost({64, 8}).algorithm, Algorithm::tree);
  EXPECT_NEAR(cost({64, 8}).time.value, 30e-6 + 4 * 5e-6 + 8 / 8e9, 1e-9);
  // A ring of 72 alone takes 10 + 142 us.
  EXPECT_NEAR(cost({144, 72}).time.value, 152e-6, 1e-8);
}

TEST(Broadcast, PassesTheWholeBufferFromRankToRank) {
  struct Case {
    const char* name;
    Group group;
    double expected_s;
  };
  for (const Case& c :
       {Case{"one rank is free", {1, 1}, 0.0},
        Case{"a node", {8, 8}, 10e-6 + 7e-6 + ring_in_node(1.0)},
        Case{"one rank on each of four nodes", {4, 1}, 15e-6 + 2 * 14e-6 + 1e9 / 45e9}}) {
    SCOPED_TRACE(c.name);
    EXPECT_NEAR(
        collective_cost(Collective::broadcast, gigabyte, c.group, round_network()).time.value,
        c.expected_s, 1e-12);
  }
}

TEST(AllToAll, UsesAllLinksFromHalfAMebibyteAPeer) {
  Network network = round_network();
  network.intra.message_channel_ll = 5_GBps;
  network.intra.simple.fill = 4_us;
  const Group node{.ranks = 8, .ranks_per_node = 8};
  // Up to 512 KiB a peer: LL on 32 channels, 160 GB/s.
  EXPECT_NEAR(all_to_all(4_MiB, node, network).value, 10e-6 + 7.0 / 8.0 * 4194304 / 160e9, 1e-12);
  // Beyond, all links after the pipeline's fill.
  const double sent = 7.0 * 1048576;
  EXPECT_NEAR(all_to_all(8_MiB, node, network).value,
              10e-6 + 4e-6 * std::sqrt(sent / 1e6) + sent / 360e9, 1e-12);
  // A start-up a peer: 64 x 0.70 us.
  EXPECT_NEAR(all_to_all(8_B, {64, 64}, network).value, 64 * 0.70e-6, 1e-8);
}

TEST(AllToAll, ShortOnesHaveNoMoreThanTheLinks) {
  Network network = round_network();
  network.intra_bandwidth = 100_GBps;  // all links 80 GB/s, 32 channels would be 160
  network.intra.message_channel_ll = 5_GBps;
  EXPECT_NEAR(all_to_all(4_MiB, {8, 8}, network).value, 10e-6 + 7.0 / 8.0 * 4194304 / 80e9, 1e-12);
}

TEST(AllToAll, HasOneAdapterARankBetweenNodes) {
  // Nine ranks, eight on one node: a ninth of the buffer leaves, through an adapter of 33 GB/s.
  EXPECT_NEAR(all_to_all(gigabyte, {9, 8}, round_network()).value, 10e-6 + 1e9 / 9.0 / 33e9, 1e-12);
  // 8 of 16 parts leave the node at 33 GB/s; 7 stay inside meanwhile.
  const double across = 0.5 * 1e9 / 33e9;
  EXPECT_NEAR(all_to_all(gigabyte, {16, 8}, round_network()).value, 16 * 0.70e-6 + across, 1e-12);
}

TEST(SendReceive, PaysTheLinkItUses) {
  EXPECT_NEAR(send_receive(gigabyte, {2, 2}, round_network()).value, 1e-6 + 1e9 / 360e9, 1e-15);
  EXPECT_NEAR(send_receive(gigabyte, {2, 1}, round_network()).value, 5e-6 + 1e9 / 45e9, 1e-15);
}

TEST(SendReceive, DoublesItsChannelsWithTheMessage) {
  Network network = round_network();
  network.intra.message_channel = 20_GBps;
  network.intra.message_channel_ll = 5_GBps;
  const auto rate = [&](Bytes size, std::int64_t ranks) {
    const CollectiveCost cost =
        collective_cost(Collective::send_receive, size, {ranks, ranks}, network);
    return size.value / (cost.time.value - 1e-6);
  };
  constexpr Bytes quarter{262144.0};
  EXPECT_NEAR(rate(quarter, 64), 5e9, 10.0);  // LL, one channel a peer among 64
  EXPECT_NEAR(rate(quarter, 8), 20e9, 10.0);  // four among eight
  EXPECT_NEAR(rate(1_MiB, 64), 20e9, 10.0);
  EXPECT_NEAR(rate(40_MiB, 64), 40e9, 10.0);  // 2.5 parts of 16 MiB
  EXPECT_NEAR(rate(40_MiB, 8), 80e9, 10.0);
  EXPECT_NEAR(rate(1_GiB, 64), 360e9, 10.0);  // 32 channels would be 640, links give 0.8 x 450
}

TEST(SendReceive, SwitchesBetweenNodesToo) {
  Network network = round_network();
  network.inter.message = {
      .base = 15_us, .low_rate = 4_GBps, .switched = 8_us, .channel = 20_GBps, .share = 0.9};
  EXPECT_NEAR(send_receive(Bytes{1e4}, {64, 1}, network).value, 15e-6 + 1e4 / 4e9, 1e-12);
  EXPECT_NEAR(send_receive(Bytes{1e6}, {64, 1}, network).value, 23e-6 + 1e6 / 20e9, 1e-12);
  EXPECT_NEAR(send_receive(gigabyte, {64, 1}, network).value, 23e-6 + 1e9 / 45e9, 1e-12);
  // one channel a pair among 16 ranks, two among 8 and fewer
  EXPECT_NEAR(send_receive(4_MiB, {16, 8}, network).value, 23e-6 + 4194304 / 20e9, 1e-12);
  EXPECT_NEAR(send_receive(4_MiB, {8, 4}, network).value, 23e-6 + 4194304 / 40e9, 1e-12);
  EXPECT_NEAR(send_receive(4_MiB, {2, 1}, network).value, 23e-6 + 4194304 / 40e9, 1e-12);
}

TEST(Placement, WhatUpperTiersLeaveAndAddCounts) {
  Network network = round_network();
  Group group{.ranks = 4, .ranks_per_node = 1};
  group.ring_share = 0.5;
  group.ring_hop = 2_us;
  group.tree_hop = 3_us;
  const CollectiveCost cost = collective_cost(Collective::all_gather, gigabyte, group, network);
  EXPECT_NEAR(cost.time.value, 15e-6 + 2 * 14e-6 + 3 * 2e-6 + 0.75 * 1e9 / 22.5e9, 1e-12);
  EXPECT_EQ(cost.bottleneck, Bottleneck::upper_tiers);
  network.inter.trees = true;
  EXPECT_NEAR(tree_time(group, network, Algorithm::tree),
              15e-6 + 2 * 14e-6 + 4 * 3e-6 + 2e9 / 22.5e9, 1e-12);
}

}  // namespace
}  // namespace cubicbench::sim
