#include "datasets/exhaustive/counted_ranks.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

#include "sim/base/philox.h"

namespace cubicbench::datasets {
namespace {

TEST(CountedRanks, FindsQuantilesOfAHandfulOfRanks) {
  CountedRanks counts(4);
  counts.add(0, 2);
  counts.add(3, 1);
  EXPECT_EQ(counts.below(0), 0);
  EXPECT_EQ(counts.below(1), 2);
  EXPECT_EQ(counts.below(3), 2);
  EXPECT_EQ(counts.below(4), 3);
  EXPECT_EQ(counts.rank_of(1), 0U);
  EXPECT_EQ(counts.rank_of(2), 0U);
  EXPECT_EQ(counts.rank_of(3), 3U);
  counts.add(0, -1);
  counts.add(2, 1);
  EXPECT_EQ(counts.rank_of(2), 2U);
}

TEST(CountedRanks, AgreesWithPlainCounts) {
  for (const std::size_t ranks : {1U, 2U, 7U, 8U, 9U, 100U}) {
    CountedRanks counts(ranks);
    std::vector<std::int64_t> plain(ranks);
    for (std::uint32_t draw = 0; draw < 200; ++draw) {
      const auto rank =
          static_cast<std::size_t>(sim::uniform_below({.entity = ranks, .draw = draw}, ranks));
      counts.add(rank, 1);
      ++plain[rank];
    }
    std::int64_t below = 0;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      ASSERT_EQ(counts.below(rank), below) << ranks;
      for (std::int64_t count = below + 1; count <= below + plain[rank]; ++count) {
        ASSERT_EQ(counts.rank_of(count), rank) << ranks;
      }
      below += plain[rank];
    }
    ASSERT_EQ(counts.below(ranks), 200);
  }
}

}  // namespace
}  // namespace cubicbench::datasets
