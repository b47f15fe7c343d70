#include "support/statistics/rank_test.h"

#include <gtest/gtest.h>

#include <vector>

#include "support/statistics/normal.h"

namespace cubicbench::support {
namespace {

TEST(RankTest, CountsBothTailsAndDoublesTheSmaller) {
  // Of 8 cases 7 are at most 5, and 2 at least 5.
  const RankTest test = exact_rank_test(2.5, std::vector<double>{1, 1, 1, 2, 1, 1, 1}, 5);
  EXPECT_EQ(test.statistic, 2.5);
  EXPECT_EQ(test.p_less, 7.0 / 8.0);
  EXPECT_EQ(test.p_greater, 2.0 / 8.0);
  EXPECT_EQ(test.p_two_sided, 4.0 / 8.0);
  EXPECT_TRUE(test.exact);
}

TEST(RankTest, IsNoMoreThanCertain) {
  EXPECT_EQ(exact_rank_test(1.5, std::vector<double>{1, 1, 1, 2, 1, 1, 1}, 3).p_two_sided, 1.0);
  EXPECT_EQ(normal_rank_test(4.0, 4.0, 2.0).p_two_sided, 1.0);
}

// SciPy 1.7's documentation of mannwhitneyu tests U = 17 of samples of 5 and 4 values: mean 10,
// variance 5 x 4 x 10 / 12, asymptotic p = 0.11134688653314041.
TEST(RankTest, CorrectsTheNormalApproximationForContinuity) {
  const double variance = 5.0 * 4.0 * 10.0 / 12.0;
  const RankTest greater = normal_rank_test(17.0, 10.0, variance);
  EXPECT_NEAR(greater.p_two_sided, 0.11134688653314041, 1e-15);
  EXPECT_NEAR(greater.p_greater, 0.11134688653314041 / 2.0, 1e-15);
  EXPECT_FALSE(greater.exact);
  const RankTest less = normal_rank_test(3.0, 10.0, variance);
  EXPECT_EQ(less.p_less, greater.p_greater);
  EXPECT_EQ(less.p_greater, greater.p_less);
  EXPECT_EQ(less.p_two_sided, greater.p_two_sided);
}

TEST(RankTest, SaysNothingWithoutVariance) {
  const RankTest test = normal_rank_test(5.0, 5.0, 0.0);
  EXPECT_EQ(test.p_less, 1.0);
  EXPECT_EQ(test.p_greater, 1.0);
  EXPECT_EQ(test.p_two_sided, 1.0);
}

}  // namespace
}  // namespace cubicbench::support
