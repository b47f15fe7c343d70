#include "sim/network/placement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "tests/sim/network/shapes.h"

namespace cubicbench::sim {
namespace {

constexpr std::array all_placements{Placement::packed, Placement::scattered,
                                    Placement::partly_used};

TEST(Placement, PackedIsTheRankItself) {
  const std::vector<std::int64_t> gpus = place(Placement::packed, 100, superpod_shape(256), 1);
  ASSERT_EQ(gpus.size(), 100U);
  for (std::size_t rank = 0; rank < gpus.size(); ++rank) {
    EXPECT_EQ(gpus[rank], static_cast<std::int64_t>(rank));
  }
}

TEST(Placement, GivesEveryRankAGpuOfItsOwnAndWholeDomains) {
  for (const Placement placement : all_placements) {
    for (const std::int64_t cluster : {8, 64, 68, 2'048}) {
      for (const std::int64_t ranks : {1, 5, 8, 64, 68, 1'000, 2'048}) {
        if (ranks > cluster) continue;
        const std::vector<std::int64_t> gpus = place(placement, ranks, node_shape(cluster), 7);
        ASSERT_EQ(gpus.size(), static_cast<std::size_t>(ranks));
        std::set<std::int64_t> seen;
        for (std::size_t rank = 0; rank < gpus.size(); ++rank) {
          ASSERT_TRUE(seen.insert(gpus[rank]).second);
          ASSERT_GE(gpus[rank], 0);
          ASSERT_LT(gpus[rank], cluster);
          ASSERT_EQ(gpus[rank] % 8, static_cast<std::int64_t>(rank % 8));
          if (rank % 8 == 0) continue;
          ASSERT_EQ(gpus[rank], gpus[rank - 1] + 1);
        }
      }
    }
  }
}

TEST(Placement, ScatteredLeavesTheOrderAndKnowsItsSeed) {
  const TopologyShape shape = node_shape(2'048);
  const auto first = place(Placement::scattered, 2'048, shape, 1);
  EXPECT_EQ(first, place(Placement::scattered, 2'048, shape, 1));
  EXPECT_NE(first, place(Placement::scattered, 2'048, shape, 2));
  // 256 nodes in any order: about one follows on its predecessor.
  int follow = 0;
  for (std::size_t rank = 8; rank < first.size(); rank += 8) {
    if (first[rank] == first[rank - 8] + 8) ++follow;
  }
  EXPECT_LE(follow, 8);
}

TEST(Placement, PartlyUsedLeavesHalfOfTheNodesToOthers) {
  const auto gpus = place(Placement::partly_used, 512, node_shape(2'048), 3);
  EXPECT_TRUE(std::is_sorted(gpus.begin(), gpus.end()));
  // 64 of the 128 free nodes among 256: the last lies near node 128.
  EXPECT_NEAR(static_cast<double>(gpus.back()), 1'024.0, 256.0);
  EXPECT_EQ(place(Placement::partly_used, 2'048, node_shape(2'048), 3).back(), 2'047);
}

}  // namespace
}  // namespace cubicbench::sim
