#include "support/statistics/e_value.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "sim/base/philox.h"

namespace cubicbench::support {
namespace {

using List = std::vector<double>;

// The mean over all signs of the differences is 1: the bets are fair.
TEST(EValue, IsOneOnAverageOverSigns) {
  const List sizes{0.3, 0.01, 2.0, 0.07};
  double sum = 0.0;
  for (unsigned signs = 0; signs < 16; ++signs) {
    List differences = sizes;
    for (unsigned i = 0; i < 4; ++i) differences[i] *= (signs >> i & 1U) != 0 ? 1.0 : -1.0;
    sum += std::exp(log_sign_bet(differences, 0.0));
  }
  EXPECT_NEAR(sum / 16.0, 1.0, 1e-12);
}

TEST(EValue, OfNothingIsOne) {
  EXPECT_NEAR(log_sign_bet(List{}, 0.3), 0.0, 1e-15);
  EXPECT_NEAR(log_sign_bet(List{0.3, 0.3}, 0.3), 0.0, 1e-15);
}

// A bet on a sign doubles at most: seven differences are needed to win a hundred.
TEST(EValue, NeedsAsManyDifferencesAsDoublings) {
  EXPECT_EQ(anytime_needed(0.01), 7U);
  EXPECT_FALSE(anytime_bounds(List(6, 1.0), 0.01).low);
  const AnytimeBounds bounds = anytime_bounds(List(7, 0.5), 0.01);
  ASSERT_TRUE(bounds.low && bounds.high);
  EXPECT_LE(*bounds.low, 0.5);
  EXPECT_NEAR(*bounds.low + *bounds.high, 1.0, 1e-9);
  EXPECT_NEAR(log_sign_bet(List(7, 0.5), *bounds.low), std::log(100.0), 1e-6);
}

// With a look after each of 100 differences, the centre 0 is left out at some look in at most
// `outside` of all cases, on each side.
TEST(EValue, KeepsItsLevelUnderAnyNumberOfLooks) {
  constexpr int trials = 1000;
  constexpr double outside = 0.05;
  int crossed = 0;
  for (std::uint64_t trial = 0; trial < trials; ++trial) {
    List differences;
    bool out = false;
    for (std::uint32_t i = 0; i < 100 && !out; ++i) {
      const double a = sim::uniform({.seed = 4, .entity = trial, .draw = 2 * i});
      const double b = sim::uniform({.seed = 4, .entity = trial, .draw = 2 * i + 1});
      differences.push_back(0.2 * (a - b));
      out = log_sign_bet(differences, 0.0) >= -std::log(outside);
    }
    crossed += out ? 1 : 0;
  }
  EXPECT_LE(crossed / static_cast<double>(trials), outside + 0.015);
}

// The integral over p of what a p-value is worth is 1; near 0 it is left out from 1e-12 on, where
// 1 / (-log p) is left.
TEST(EValue, OfPValuesIsCalibrated) {
  constexpr int steps = 200'000;
  const double from = std::log(1e-12);
  double sum = 0.0;
  for (int i = 0; i < steps; ++i) {
    const double p = std::exp(from * (1.0 - (i + 0.5) / steps));
    sum += e_of_p(p) * p * -from / steps;
  }
  EXPECT_NEAR(sum, 1.0 - 1.0 / -from, 1e-6);
  EXPECT_EQ(e_of_p(1.0), 0.5);
  EXPECT_NEAR(e_of_p(0.9991), e_of_p(0.9989), 1e-4);
  EXPECT_EQ(p_of_e(4.0), 0.25);
  EXPECT_EQ(p_of_e(0.5), 1.0);
}

}  // namespace
}  // namespace cubicbench::support
