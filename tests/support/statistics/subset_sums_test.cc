#include "support/statistics/subset_sums.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <numeric>

namespace cubicbench::support {
namespace {

using testing::ElementsAre;
using Numbers = std::vector<std::int64_t>;

TEST(SubsetSums, MatchHandCounts) {
  // {}, {1}, {2}, {1, 2}, and 3 on top of each.
  EXPECT_THAT(subset_sums(Numbers{1, 2, 3}), ElementsAre(1, 1, 1, 2, 1, 1, 1));
  EXPECT_THAT(subset_sums(Numbers{}), ElementsAre(1));
  EXPECT_THAT(subset_sums(Numbers{2, 2}), ElementsAre(1, 0, 2, 0, 1));
  EXPECT_THAT(subset_sums(Numbers{0, 1}), ElementsAre(2, 2));
  // Two of 1, 2, 3: 3, 4 and 5.
  EXPECT_THAT(subset_sums(Numbers{1, 2, 3}, 2), ElementsAre(0, 0, 0, 1, 1, 1, 0));
  EXPECT_THAT(subset_sums(Numbers{1, 2, 3}, 0), ElementsAre(1, 0, 0, 0, 0, 0, 0));
}

TEST(SubsetSums, EqualAnEnumeration) {
  const Numbers numbers{3, 3, 5, 8, 8, 8, 13, 14, 2, 4};
  std::vector<double> all(69, 0.0);
  std::vector<double> of_four(69, 0.0);
  for (std::uint32_t subset = 0; subset < (1U << numbers.size()); ++subset) {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if ((subset >> i & 1U) != 0) sum += static_cast<std::size_t>(numbers[i]);
    }
    all[sum] += 1.0;
    if (std::popcount(subset) == 4) of_four[sum] += 1.0;
  }
  EXPECT_EQ(subset_sums(numbers), all);
  EXPECT_EQ(subset_sums(numbers, 4), of_four);
}

TEST(SubsetSums, AreCountedWithoutRoundingUpToFiftyRanks) {
  Numbers ranks(50);
  std::iota(ranks.begin(), ranks.end(), 1);
  const std::vector<double> all = subset_sums(ranks);
  const std::vector<double> half = subset_sums(ranks, 25);
  EXPECT_EQ(std::accumulate(all.begin(), all.end(), 0.0), 0x1p50);
  EXPECT_EQ(std::accumulate(half.begin(), half.end(), 0.0), 126'410'606'437'752.0);  // C(50, 25)
}

TEST(SumTails, IncludeTheSumItself) {
  const SumTails tails = tails_of(std::vector<double>{1, 1, 1, 2, 1, 1, 1}, 3);
  EXPECT_EQ(tails.at_most, 5.0 / 8.0);
  EXPECT_EQ(tails.at_least, 5.0 / 8.0);
  const SumTails end = tails_of(std::vector<double>{1, 1, 1, 2, 1, 1, 1}, 6);
  EXPECT_EQ(end.at_most, 1.0);
  EXPECT_EQ(end.at_least, 1.0 / 8.0);
}

}  // namespace
}  // namespace cubicbench::support
