#include "sim/plan/shard_cost.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <vector>

namespace cubicbench::sim {
namespace {

struct Shard {
  double read;
  double wire;
};

TableBalance balance_of_shards(const std::vector<Shard>& shards, double shared) {
  TableBalance sum{.shared = shared};
  for (const Shard& shard : shards) {
    sum.read += shard.read;
    sum.wire += shard.wire;
    sum.largest_read = std::max(sum.largest_read, shard.read);
    sum.largest_wire = std::max(sum.largest_wire, shard.wire);
  }
  return sum;
}

/// What the best of all placements on three ranks costs: the slowest reader, then the slowest
/// sender.
double best_placement(const std::vector<Shard>& shards, double shared) {
  constexpr std::size_t ranks = 3;
  std::size_t placements = 1;
  for (std::size_t i = 0; i < shards.size(); ++i) placements *= ranks;
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t code = 0; code < placements; ++code) {
    std::array<Shard, ranks> load{};
    std::size_t rest = code;
    for (const Shard& shard : shards) {
      load.at(rest % ranks).read += shard.read;
      load.at(rest % ranks).wire += shard.wire;
      rest /= ranks;
    }
    Shard slowest{};
    for (const Shard& one : load) {
      slowest.read = std::max(slowest.read, one.read);
      slowest.wire = std::max(slowest.wire, one.wire);
    }
    best = std::min(best, shared + slowest.read + slowest.wire);
  }
  return best;
}

// docs/internals/table-planner.md, "The bound".
TEST(TableBalance, LeastIsNoMoreThanAnyPlacementCosts) {
  // By hand: 1 + 6/3 + 3/3 where shares are equal, and 1 + 5 + 3/3 where one shard reads 5.
  EXPECT_DOUBLE_EQ(balance_of_shards({{2, 1}, {2, 1}, {2, 1}}, 1).least(3), 4.0);
  EXPECT_DOUBLE_EQ(balance_of_shards({{5, 1}, {1, 1}, {0, 1}}, 1).least(3), 7.0);
  for (const std::vector<Shard>& shards :
       {std::vector<Shard>{{2, 1}, {2, 1}, {2, 1}}, std::vector<Shard>{{5, 1}, {1, 1}, {0, 1}},
        std::vector<Shard>{{1, 7}, {2, 2}, {3, 1}, {4, 0}, {5, 3}},
        std::vector<Shard>{{4, 0}, {4, 0}, {4, 0}, {4, 0}, {0, 9}, {1, 1}, {2, 5}}}) {
    EXPECT_LE(balance_of_shards(shards, 0.5).least(3), best_placement(shards, 0.5));
  }
}

}  // namespace
}  // namespace cubicbench::sim
