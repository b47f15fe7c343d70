#include "support/statistics/quantile.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

namespace cubicbench::support {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

TEST(Quantile, InterpolatesBetweenNeighboursLikeNumpy) {
  struct Case {
    const char* name;
    std::vector<double> values;
    double q;
    double expected;
  };
  for (const Case& c :
       {Case{"one value", {7.0}, 0.9, 7.0}, Case{"the middle of three", {3.0, 1.0, 2.0}, 0.5, 2.0},
        Case{"the middle of two", {1.0, 2.0}, 0.5, 1.5},
        Case{"position 0.9 x 10 = 9", {10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0}, 0.9, 9.0},
        Case{"position 0.9 x 4 = 3.6", {0, 10, 20, 30, 40}, 0.9, 36.0},
        Case{"position 0.25 x 3 = 0.75", {40.0, 10.0, 30.0, 20.0}, 0.25, 17.5},
        Case{"the smallest", {5.0, 3.0}, 0.0, 3.0}, Case{"the largest", {5.0, 3.0}, 1.0, 5.0}}) {
    SCOPED_TRACE(c.name);
    EXPECT_NEAR(quantile(c.values, c.q), c.expected, 1e-12);
    EXPECT_EQ(quantile_if_any(c.values, c.q), quantile(c.values, c.q));
  }
}

TEST(Quantile, OfSortedValuesIsTheSame) {
  EXPECT_EQ(quantile_of_sorted(std::array{10.0, 20.0, 30.0, 40.0}, 0.25), 17.5);
}

TEST(Quantile, IgnoresAnInfiniteNeighbourAtDistanceZero) {
  EXPECT_EQ(median({1.0, 2.0, infinite}), 2.0);
  EXPECT_EQ(quantile({1.0, infinite}, 1.0), infinite);
  EXPECT_EQ(median({infinite, infinite}), infinite);
}

TEST(Quantile, HasOneZero) {
  EXPECT_FALSE(std::signbit(quantile({-0.0}, 0.5)));
  EXPECT_FALSE(std::signbit(quantile({-0.0, -0.0}, 0.75)));
}

TEST(Quantile, OfNothingIsNothing) {
  EXPECT_EQ(quantile_if_any({}, 0.5), std::nullopt);
  EXPECT_EQ(median_if_any({}), std::nullopt);
  EXPECT_EQ(median_if_any({4.0, 1.0}), 2.5);
}

TEST(Median, IsTheMiddleOrHalfwayBetweenTheTwo) {
  EXPECT_EQ(median({5.0, 1.0, 2.0}), 2.0);
  EXPECT_EQ(median({5.0, 1.0, 2.0, -4.0}), 1.5);
}

TEST(MedianHigh, IsTheLargerOfTwoInTheMiddle) {
  EXPECT_EQ(median_high({5.0, 1.0, 2.0}), 2.0);
  EXPECT_EQ(median_high({5.0, 1.0, 2.0, -4.0}), 2.0);
  EXPECT_EQ(median_high({1.0, 3.0}), 3.0);
  EXPECT_EQ(median_high({8.0}), 8.0);
}

}  // namespace
}  // namespace cubicbench::support
