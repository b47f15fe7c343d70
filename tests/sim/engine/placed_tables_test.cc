// Placings that are remembered are those of shard_tables(), whatever was asked before.
#include "sim/engine/placed_tables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>

#include "sim/plan/validity.h"
#include "tests/sim/random_ads.h"

namespace cubicbench::sim {
namespace {

constexpr std::uint64_t jobs = 40;
constexpr std::uint64_t plans = 12;

/// From nothing to more than a device holds.
Bytes resident_of(std::uint64_t number, const Cluster& cluster) {
  return Bytes{static_cast<double>(number % 6) * 0.25 * cluster.device.memory.value};
}

TEST(PlacedTables, AreWhereTheyAreShardedTo) {
  for (std::uint64_t seed = 0; seed < jobs; ++seed) {
    const AdsJob job = random_ads(seed);
    PlacedTables placed(job.model, job.cluster);
    for (std::uint64_t i = 0; i < 6 * plans; ++i) {
      const Plan plan = random_ads(1000 + i * 5 % plans).plan;
      if (check_tables(plan, job.cluster)) {
        EXPECT_EQ(placed.of(plan, Bytes{}).tables, nullptr);
        continue;
      }
      const Bytes resident = resident_of(i / 3, job.cluster);
      TableSharding fresh;
      shard_tables(job.model, plan, job.cluster, resident, fresh);
      const TableSharding& kept = *placed.of(plan, resident).tables;
      SCOPED_TRACE("plan " + std::to_string(i) + " of " + description(seed, job));
      ASSERT_EQ(kept.shards, fresh.shards);
      ASSERT_EQ(kept.classes, fresh.classes);
      ASSERT_EQ(kept.held, fresh.held);
      ASSERT_EQ(kept.copies, fresh.copies);
      ASSERT_EQ(kept.ranks, fresh.ranks);
      ASSERT_EQ(kept.node_ranks, fresh.node_ranks);
    }
  }
}

/// Beside as many bytes more or less as their slack says tables are placed alike.
TEST(PlacedTables, AreTheSameWithinTheirSlack) {
  std::size_t compared = 0;
  for (std::uint64_t seed = 0; seed < 5 * jobs; ++seed) {
    const AdsJob job = random_ads(seed);
    const Bytes memory = job.cluster.device.memory;
    for (const double share : {0.0, 0.4, 0.8, 0.84}) {
      SCOPED_TRACE(std::to_string(share) + " of " + description(seed, job));
      TableSharding placed;
      shard_tables(job.model, job.plan, job.cluster, share * memory, placed);
      const double less = std::min(placed.slack.less, memory.value);
      const double more = std::min(placed.slack.more, memory.value);
      for (const double part : {0.01, 0.5, 0.99}) {
        for (const double change : {part * less, -part * more}) {
          if (std::abs(change) < 1e3) continue;
          TableSharding other;
          shard_tables(job.model, job.plan, job.cluster, share * memory + Bytes{change}, other);
          ASSERT_EQ(other.shards, placed.shards) << change;
          ASSERT_EQ(other.classes, placed.classes) << change;
          ASSERT_EQ(other.held, placed.held) << change;
          ++compared;
        }
      }
    }
  }
  EXPECT_GT(compared, 2'000U);
}

TEST(PlacedTables, HaveOneNumberWhereBytesBesideThemDoNotMatter) {
  const AdsJob job = random_ads(3);
  PlacedTables placed(job.model, job.cluster);
  const std::uint64_t number = placed.of(job.plan, Bytes{0.0}).number;
  EXPECT_GT(number, 0U);
  EXPECT_EQ(placed.of(job.plan, Bytes{1.0}).number, number);
  EXPECT_EQ(placed.of(job.plan, Bytes{0.0}).number, number);
}

TEST(PlacedTables, HaveNumbersOfTheirOwnEvenWhereOthersAreForgotten) {
  const AdsJob job = random_ads(3);
  PlacedTables placed(job.model, job.cluster);
  std::map<std::uint64_t, TableSharding> seen;
  for (std::int64_t i = 0; i < 600; ++i) {
    const Bytes resident{static_cast<double>(i) * job.cluster.device.memory.value / 300.0};
    const PlacedTables::Placing placing = placed.of(job.plan, resident);
    const auto [known, is_new] = seen.try_emplace(placing.number, *placing.tables);
    ASSERT_EQ(known->second.held, placing.tables->held);
    ASSERT_EQ(known->second.classes, placing.tables->classes);
  }
}

}  // namespace
}  // namespace cubicbench::sim
