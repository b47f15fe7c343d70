#include "support/statistics/ranks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cubicbench::support {
namespace {

using testing::ElementsAre;
using List = std::vector<double>;

TEST(Ranks, ShareTheirMean) {
  EXPECT_THAT(average_ranks(List{30, 10, 20, 10}), ElementsAre(4, 1.5, 3, 1.5));
  EXPECT_THAT(average_ranks(List{7, 7, 7}), ElementsAre(2, 2, 2));
  EXPECT_TRUE(average_ranks(List{}).empty());
}

TEST(Ranks, AreIntegersWhenDoubled) {
  EXPECT_THAT(doubled_ranks(List{30, 10, 20, 10}), ElementsAre(8, 3, 6, 3));
  EXPECT_THAT(doubled_ranks(List{0.0, -0.0, -1.0}), ElementsAre(5, 5, 2));
}

TEST(TieTerm, AddsTheSetsOfEqualValues) {
  EXPECT_EQ(tie_term(List{3, 1, 2}), 0.0);
  EXPECT_EQ(tie_term(List{1, 2, 1, 2, 1, 5}), (27.0 - 3.0) + (8.0 - 2.0));
  EXPECT_EQ(tie_term(List{}), 0.0);
}

}  // namespace
}  // namespace cubicbench::support
