// Placement in classes of ranks against a textbook greedy that gives away shard by shard.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "sim/plan/table_sharding.h"
#include "tests/sim/engine/event/dice.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

/// One rank, or one node as if it were one.
struct Owner {
  double load = 0.0;
  double bytes = 0.0;
  std::vector<std::int32_t> held;
};

/// The owner that a shard of `bytes` goes to: the least loaded that has room, else the emptiest, of
/// equally empty ones the least loaded. Ties go to lower numbers.
std::size_t chosen(const std::vector<Owner>& owners, double bytes, double room) {
  std::size_t best = owners.size();
  for (std::size_t i = 0; i < owners.size(); ++i) {
    if (owners[i].bytes + bytes > room) continue;
    if (best == owners.size() || owners[i].load < owners[best].load) best = i;
  }
  if (best != owners.size()) return best;
  best = 0;
  for (std::size_t i = 1; i < owners.size(); ++i) {
    const Owner& a = owners[i];
    const Owner& b = owners[best];
    if (a.bytes != b.bytes ? a.bytes < b.bytes : a.load < b.load) best = i;
  }
  return best;
}

double bytes_of(const TableShards& shards, const Plan& plan) {
  return device_share(shards, plan) * (shard_weights(shards, plan) + shard_state(shards, plan));
}

void give_away(TableLayout layout, const TableSharding& sharding, const Plan& plan, double room,
               std::vector<Owner>& owners) {
  std::vector<std::size_t> order(sharding.shards.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return sharding.costs[a] > sharding.costs[b];
  });
  for (const std::size_t group : order) {
    const TableShards& shards = sharding.shards[group];
    if (shards.layout != layout) continue;
    for (std::int64_t i = 0; i < shards.count; ++i) {
      Owner& owner = owners[chosen(owners, bytes_of(shards, plan), room)];
      owner.load += sharding.costs[group];
      owner.bytes += bytes_of(shards, plan);
      ++owner.held[group];
    }
  }
}

/// What every rank holds.
std::vector<Owner> textbook(const TableSharding& sharding, const Plan& plan, double room) {
  const Owner nothing{.held = std::vector<std::int32_t>(sharding.shards.size())};
  std::vector<Owner> nodes(static_cast<std::size_t>(sharding.ranks / sharding.node_ranks), nothing);
  give_away(TableLayout::by_node_rows, sharding, plan, room, nodes);
  std::vector<Owner> ranks;
  for (const Owner& node : nodes) {
    ranks.insert(ranks.end(), static_cast<std::size_t>(sharding.node_ranks), node);
  }
  give_away(TableLayout::whole, sharding, plan, room, ranks);
  return ranks;
}

/// Costs and bytes are whole numbers, so that sums of them are exact and ties are ties.
TableSharding random_shards(Dice& dice) {
  TableSharding sharding;
  sharding.node_ranks = 1 + dice.below(8);
  sharding.ranks = sharding.node_ranks * (1 + dice.below(8));
  for (std::int64_t i = 1 + dice.below(8); i > 0; --i) {
    sharding.shards.push_back({.layout = static_cast<TableLayout>(dice.below(4)),
                               .count = 1 + dice.below(100),
                               .rows = 1 + dice.below(50),
                               .width = 1,
                               .pooling = 1.0,
                               .element_bytes = 1.0});
    sharding.costs.push_back(static_cast<double>(1 + dice.below(20)));
  }
  sharding.costs_read = sharding.costs;
  return sharding;
}

/// Room for a share of all that is placed, a fair one and more or less.
double random_room(const TableSharding& sharding, Dice& dice) {
  double bytes = 0.0;
  for (const TableShards& shards : sharding.shards) {
    const double ranks =
        shards.layout == TableLayout::by_node_rows ? static_cast<double>(sharding.node_ranks) : 1.0;
    bytes += ranks * static_cast<double>(shards.count * shards.rows);
  }
  const double fair = bytes / static_cast<double>(sharding.ranks);
  constexpr double shares[] = {0.0, 0.5, 0.9, 1.02, 1.2, 2.0, 1e9};
  return std::floor(fair * shares[dice.below(7)]);
}

TEST(TablePlacement, EqualsAGreedyThatGoesShardByShard) {
  Plan plan{};
  plan.embedding_optimizer = Optimizer::sgd;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    Dice dice(seed);
    TableSharding sharding = random_shards(dice);
    const double room = random_room(sharding, dice);
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", room " << room);
    place_tables(plan, room, sharding);
    const std::vector<Owner> ranks = textbook(sharding, plan, room);
    std::vector<bool> seen(ranks.size());
    for (const RankClass& c : sharding.classes) {
      for (std::int64_t rank = c.first; rank < c.first + c.ranks; ++rank) {
        const auto at = static_cast<std::size_t>(rank);
        ASSERT_LT(at, ranks.size());
        EXPECT_FALSE(seen[at]);
        seen[at] = true;
        EXPECT_EQ(c.load, ranks[at].load) << rank;
        EXPECT_EQ(c.bytes, ranks[at].bytes) << rank;
        EXPECT_TRUE(std::ranges::equal(sharding.held_by(c), ranks[at].held)) << rank;
      }
    }
    EXPECT_EQ(std::ranges::count(seen, false), 0);
    if (HasFailure()) return;
  }
}

TEST(TablePlacement, KeepsClassesInTheOrderOfTheirLoad) {
  Plan plan{};
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Dice dice(seed);
    TableSharding sharding = random_shards(dice);
    place_tables(plan, 1e18, sharding);
    EXPECT_TRUE(std::ranges::is_sorted(sharding.classes, {}, &RankClass::load));
  }
}

TEST(TablePlacement, GoesToTheEmptiestWhereNobodyHasRoom) {
  // Two ranks with room for 10: tables of 8, then of 6 and 5 bytes, of falling cost.
  Plan plan{};
  plan.embedding_optimizer = Optimizer::sgd;
  TableSharding sharding;
  sharding.ranks = 2;
  for (const std::int64_t rows : {8, 6, 5}) {
    sharding.shards.push_back({.count = 1, .rows = rows, .width = 1, .element_bytes = 1.0});
    sharding.costs.push_back(static_cast<double>(rows));
  }
  sharding.costs_read = sharding.costs;
  place_tables(plan, 10.0, sharding);
  // The last fits beside neither of the others, and the rank with 6 is emptier.
  ASSERT_EQ(sharding.classes.size(), 2u);
  EXPECT_EQ(sharding.classes[0].bytes, 8.0);
  EXPECT_EQ(sharding.classes[1].bytes, 11.0);
}

TEST(TablePlacement, RowsInHostMemoryNeedNoRoom) {
  Plan plan{};
  TableSharding sharding;
  sharding.ranks = 4;
  sharding.shards = {{.count = 6, .rows = 1'000'000, .width = 128, .kernel = EmbeddingKernel::uvm}};
  sharding.costs = sharding.costs_read = {1.0};
  place_tables(plan, 1.0, sharding);
  for (const RankClass& c : sharding.classes) {
    EXPECT_EQ(c.bytes, 0.0);
    EXPECT_LE(c.load, 2.0);
  }
}

}  // namespace
}  // namespace cubicbench::sim
