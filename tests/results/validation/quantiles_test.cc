#include "results/validation/quantiles.h"

#include <gtest/gtest.h>

#include <limits>

namespace cubicbench::results {
namespace {

TEST(Quantiles, LieBetweenNeighboursAsNumpysDo) {
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
        Case{"the least", {5.0, 3.0}, 0.0, 3.0}, Case{"the largest", {5.0, 3.0}, 1.0, 5.0}}) {
    SCOPED_TRACE(c.name);
    EXPECT_NEAR(*quantile_if_any(c.values, c.q), c.expected, 1e-12);
  }
}

TEST(Quantiles, AnInfiniteNeighbourHasNoSay) {
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(median({1.0, 2.0, infinite}), 2.0);
  EXPECT_EQ(quantile_if_any({1.0, infinite}, 1.0), infinite);
}

TEST(Quantiles, OfNothingAreNothing) {
  EXPECT_EQ(quantile_if_any({}, 0.5), std::nullopt);
  EXPECT_EQ(median({}), std::nullopt);
  EXPECT_EQ(mean({}), std::nullopt);
  EXPECT_EQ(mean({1.0, 2.0, 6.0}), 3.0);
}

}  // namespace
}  // namespace cubicbench::results
