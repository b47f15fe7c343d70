#include "support/statistics/superiority.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "sim/base/philox.h"

namespace cubicbench::support {
namespace {

using List = std::vector<double>;
constexpr double confidence = 0.9;

// Placements of 2 5 7 among 1 2 6 9 are 1.5, 2, 3 of 4; those of 1 2 6 9 are 3, 2.5, 1, 0 of 3
// above.
TEST(Superiority, HasTheVarianceOfPlacements) {
  const Superiority result = superiority(List{2, 5, 7}, List{1, 2, 6, 9}, confidence);
  EXPECT_DOUBLE_EQ(result.a12, 6.5 / 12.0);
  const double of_a = (4.0 / 9.0 + 1.0 / 36.0 + 25.0 / 36.0) / 2.0 / 16.0;
  const double of_b = (1.375 * 1.375 + 0.875 * 0.875 + 0.625 * 0.625 + 1.625 * 1.625) / 3.0 / 9.0;
  EXPECT_NEAR(result.variance, of_a / 3.0 + of_b / 4.0, 1e-15);
  EXPECT_LT(result.interval.low, result.a12);
  EXPECT_GT(result.interval.high, result.a12);
}

// Were P(a > b) below 0.05^(1/4), four disjoint pairs would all favour a with less than 5 %.
TEST(Superiority, BoundsSamplesThatAreApart) {
  const Superiority result = superiority(List{5, 6, 7, 8}, List{1, 2, 3, 4}, confidence);
  EXPECT_EQ(result.a12, 1.0);
  EXPECT_EQ(result.interval.high, 1.0);
  EXPECT_NEAR(result.interval.low, std::pow(0.05, 0.25), 1e-12);
  const Superiority other = superiority(List{1, 2, 3, 4}, List{5, 6, 7, 8}, confidence);
  EXPECT_NEAR(other.interval.high, 1.0 - std::pow(0.05, 0.25), 1e-12);
}

TEST(Superiority, KnowsNothingOfOneValue) {
  EXPECT_EQ(superiority(List{5}, List{1, 2}, confidence).interval, (Interval{0.0, 1.0}));
}

TEST(Superiority, IsSymmetricAboutAHalfOfEqualValues) {
  const Interval interval = superiority(List{5, 5, 5}, List{5, 5, 5}, confidence).interval;
  EXPECT_NEAR(interval.low + interval.high, 1.0, 1e-15);
  EXPECT_GT(interval.low, 0.0);
}

TEST(Superiority, DeltaIsWinsLessLosses) {
  EXPECT_NEAR(cliffs_delta(List{2, 5, 7}, List{1, 2, 6, 9}), (6.0 - 5.0) / 12.0, 1e-15);
}

// Of uniform values against others moved by 0.2, A12 is 1 - 0.8^2 / 2 = 0.68.
TEST(Superiority, CoversTheTruthAsOftenAsItSays) {
  constexpr int trials = 1000;
  int covered = 0;
  for (std::uint64_t trial = 0; trial < trials; ++trial) {
    List a;
    List b;
    for (std::uint32_t i = 0; i < 20; ++i) {
      a.push_back(sim::uniform({.seed = 5, .entity = trial, .draw = 2 * i}) + 0.2);
      b.push_back(sim::uniform({.seed = 5, .entity = trial, .draw = 2 * i + 1}));
    }
    const Interval interval = superiority(a, b, confidence).interval;
    covered += interval.low <= 0.68 && 0.68 <= interval.high ? 1 : 0;
  }
  EXPECT_NEAR(covered / static_cast<double>(trials), confidence, 0.03);
}

}  // namespace
}  // namespace cubicbench::support
