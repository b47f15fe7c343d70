#include "sim/network/traffic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "sim/base/philox.h"
#include "sim/network/requested_cost.h"

namespace cubicbench::sim {
namespace {

constexpr Bytes size{720720.0};  // a multiple of 1 to 16

std::int64_t random_below(std::uint64_t entity, std::uint32_t draw, std::int64_t end) {
  const Draw name{.seed = 8, .entity = entity, .draw = draw};
  return static_cast<std::int64_t>(uniform_below(name, static_cast<std::uint64_t>(end)));
}

/// What goes in and out of every end of a collective.
struct Balance {
  std::map<std::int64_t, double> sent;
  std::map<std::int64_t, double> received;
  double across = 0.0;

  static double sum(const std::map<std::int64_t, double>& of, bool ranks) {
    double total = 0.0;
    for (const auto& [end, bytes] : of) {
      if ((end >= 0) == ranks) total += bytes;
    }
    return total;
  }
};

Balance balance_of(const std::vector<Flow>& flows, std::int64_t ranks_per_node) {
  Balance balance;
  for (const Flow& flow : flows) {
    balance.sent[flow.from] += flow.bytes.value;
    balance.received[flow.to] += flow.bytes.value;
    const bool in_domain = flow.from == in_domain_switch || flow.to == in_domain_switch;
    const bool in_fabric = flow.from == in_fabric_switch || flow.to == in_fabric_switch;
    if (!in_domain && (in_fabric || flow.from / ranks_per_node != flow.to / ranks_per_node)) {
      balance.across += flow.bytes.value;
    }
  }
  return balance;
}

/// Whether what every rank has at the start could reach those that need it, phase by phase.
/// A switch hands on what it got, that of a domain to its ranks alone. Up to 64 ranks.
bool all_informed(const std::vector<Flow>& flows, const Group& group, Collective op) {
  std::vector<Flow> ordered = flows;
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const Flow& a, const Flow& b) { return a.phase < b.phase; });
  // The ranks, the switches of the domains, the fabric: each a set of ranks whose data it has.
  const std::int64_t n = group.ranks;
  std::vector<std::uint64_t> known(static_cast<std::size_t>(n + nodes_of(group) + 1), 0);
  for (std::size_t rank = 0; rank < static_cast<std::size_t>(n); ++rank) {
    known[rank] = std::uint64_t{1} << rank;
  }
  const auto at = [&](std::int64_t end, std::int64_t other) -> std::uint64_t& {
    const std::int64_t domain = n + other / group.ranks_per_node;
    const std::int64_t fabric = n + nodes_of(group);
    const std::int64_t row = end == in_domain_switch ? domain : end < 0 ? fabric : end;
    return known[static_cast<std::size_t>(row)];
  };
  for (auto first = ordered.begin(); first != ordered.end();) {
    const auto last = std::find_if(first, ordered.end(),
                                   [&](const Flow& flow) { return flow.phase != first->phase; });
    for (bool changed = true; changed;) {
      changed = false;
      for (auto flow = first; flow != last; ++flow) {
        std::uint64_t& to = at(flow->to, flow->from);
        const std::uint64_t more = to | at(flow->from, flow->to);
        changed = changed || more != to;
        to = more;
      }
    }
    first = last;
  }
  const std::uint64_t needed = op == Collective::broadcast ? 1 : ~std::uint64_t{0} >> (64 - n);
  return std::all_of(known.begin(), known.begin() + n,
                     [&](std::uint64_t has) { return (has & needed) == needed; });
}

TEST(Traffic, VolumesConserveAndEqualTheClosedForms) {
  std::map<Algorithm, int> tried;
  for (std::uint64_t shape = 0; shape < 1'000; ++shape) {
    Group group;
    group.ranks_per_node = 1 + random_below(shape, 0, 9);
    group.ranks = 1 + random_below(shape, 1, 48);
    if (random_below(shape, 2, 2) == 0) {
      group.ranks_per_node = std::int64_t{1} << random_below(shape, 3, 4);
      group.ranks = group.ranks_per_node * (1 + random_below(shape, 4, 7));
    }
    group.ranks_per_node = std::min(group.ranks, group.ranks_per_node);
    for (std::size_t i = 0; i < collective_count * algorithm_count; ++i) {
      const auto op = static_cast<Collective>(i / algorithm_count);
      const auto algorithm = static_cast<Algorithm>(i % algorithm_count);
      if (!has_traffic(op, algorithm, group)) continue;
      ++tried[algorithm];
      SCOPED_TRACE(testing::Message()
                   << "op " << i / algorithm_count << ", algorithm " << i % algorithm_count << ", "
                   << group.ranks << " by " << group.ranks_per_node);
      const std::vector<Flow> flows = traffic(op, algorithm, size, group);
      for (const Flow& flow : flows) {
        ASSERT_GT(flow.bytes, Bytes{});
        ASSERT_NE(flow.from, flow.to);
        ASSERT_LT(std::max(flow.from, flow.to), group.ranks);
      }
      const Balance balance = balance_of(flows, group.ranks_per_node);
      const Volume expected = volume(op, algorithm, size, group);
      ASSERT_NEAR(Balance::sum(balance.sent, true), expected.ranks.value, 1e-3);
      ASSERT_NEAR(Balance::sum(balance.sent, false), expected.switches.value, 1e-3);
      ASSERT_NEAR(balance.across, expected.across.value, 1e-3);
      ASSERT_NEAR(Balance::sum(balance.received, true) + Balance::sum(balance.received, false),
                  (expected.ranks + expected.switches).value, 1e-3);
      if (op != Collective::send_receive && group.ranks > 1) {
        ASSERT_TRUE(all_informed(flows, group, op));
      }
    }
  }
  for (std::size_t i = 0; i < algorithm_count; ++i) {
    EXPECT_GE(tried[static_cast<Algorithm>(i)], 200) << i;
  }
}

TEST(Traffic, RanksOfSymmetricAlgorithmsSendAndReceiveTheBusFactor) {
  // f of nccl-tests: 2 (n-1)/n for all-reduce, (n-1)/n for gather, scatter and all-to-all.
  for (const std::int64_t n : {2, 3, 4, 7, 12}) {
    for (const Algorithm algorithm :
         {Algorithm::ring, Algorithm::hierarchical, Algorithm::direct, Algorithm::pat}) {
      for (const Collective op : {Collective::all_reduce, Collective::all_gather,
                                  Collective::reduce_scatter, Collective::all_to_all}) {
        const Group group{.ranks = n, .ranks_per_node = 1};
        if (!has_traffic(op, algorithm, group)) continue;
        const Balance balance = balance_of(traffic(op, algorithm, size, group), 1);
        for (std::int64_t rank = 0; rank < n; ++rank) {
          EXPECT_NEAR(balance.sent.at(rank), bus_factor(op, n) * size.value, 1e-6);
          EXPECT_NEAR(balance.received.at(rank), bus_factor(op, n) * size.value, 1e-6);
        }
      }
    }
  }
}

TEST(Traffic, AnAllReduceInTheSwitchSendsTheBufferOnceAndAnNthAgain) {
  const auto flows = traffic(Collective::all_reduce, Algorithm::nvls, size, {8, 8});
  const Balance balance = balance_of(flows, 8);
  for (std::int64_t rank = 0; rank < 8; ++rank) {
    EXPECT_NEAR(balance.sent.at(rank), 9.0 / 8.0 * size.value, 1e-6);
    EXPECT_NEAR(balance.received.at(rank), 9.0 / 8.0 * size.value, 1e-6);
  }
}

TEST(BinaryTree, MatchesTheDrawingOfNccl) {
  // trees.cc draws 14 nodes:  0 -> 8;  8 -> 4, 12;  4 -> 2, 6;  12 -> 10, 13;  ..
  const std::vector<std::int64_t> parents{no_parent, 2, 4, 2, 8, 6, 4, 6, 0, 10, 12, 10, 8, 12};
  for (std::size_t i = 0; i < parents.size(); ++i) {
    EXPECT_EQ(first_tree_parent(static_cast<std::int64_t>(i), 14), parents[i]) << i;
  }
}

TEST(BinaryTree, EveryNodeSendsAtMostTheBufferTwice) {
  for (std::int64_t nodes = 1; nodes <= 257; ++nodes) {
    const Balance balance =
        balance_of(traffic(Collective::all_reduce, Algorithm::tree, size, {nodes, 1}), 1);
    int roots = 0;
    for (std::int64_t node = 0; node < nodes; ++node) {
      roots += first_tree_parent(node, nodes) == no_parent ? 1 : 0;
      roots += second_tree_parent(node, nodes) == no_parent ? 1 : 0;
      if (nodes == 1) continue;
      EXPECT_LE(balance.sent.at(node), 2.0 * size.value) << nodes;
    }
    EXPECT_EQ(roots, 2);
  }
}

}  // namespace
}  // namespace cubicbench::sim
