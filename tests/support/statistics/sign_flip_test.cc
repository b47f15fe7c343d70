#include "support/statistics/sign_flip.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "sim/base/philox.h"

namespace cubicbench::support {
namespace {

using List = std::vector<double>;

// Of 1 2 4 and all eight choices of signs only the observed one reaches 7. The means of subsets are
// 1 2 4 1.5 2.5 3 7/3; with outside = 1/4 two of eight cases may be left out, the empty set being
// one.
TEST(SignFlip, CountsAllSignsOfAFew) {
  const SignFlipTest test = sign_flip_test(List{1, 2, 4}, 0.25);
  EXPECT_DOUBLE_EQ(test.mean, 7.0 / 3.0);
  EXPECT_EQ(test.p_greater, 1.0 / 8.0);
  EXPECT_EQ(test.p_less, 1.0);
  EXPECT_EQ(test.p_two_sided, 2.0 / 8.0);
  EXPECT_EQ(test.low, 1.5);
  EXPECT_EQ(test.high, 3.0);
}

// 0.1 + 0.2 is more than 0.3 by a rounding: choices of signs whose sums are equal count as equal.
TEST(SignFlip, TakesSumsThatDifferByARoundingForEqual) {
  const SignFlipTest whole = sign_flip_test(List{1, 2, -3}, 0.25);
  EXPECT_EQ(whole.p_greater, 5.0 / 8.0);  // 0 twice, and three of the six others above it
  const SignFlipTest tenths = sign_flip_test(List{0.1, 0.2, -0.3}, 0.25);
  EXPECT_EQ(tenths.p_greater, whole.p_greater);
  EXPECT_EQ(tenths.p_less, whole.p_less);
}

// A difference of 0 favours neither side: both of its signs are counted.
TEST(SignFlip, HasNoBoundsOfTooFew) {
  EXPECT_EQ(sign_flips_needed(0.01), 7U);
  EXPECT_EQ(sign_flips_needed(0.125), 3U);
  EXPECT_FALSE(sign_flip_test(List(6, 1.0), 0.01).low);
  EXPECT_EQ(sign_flip_test(List(7, 1.0), 0.01).low, 1.0);
  EXPECT_EQ(sign_flip_test(List(7, 0.0), 0.01).p_two_sided, 1.0);
}

TEST(SignFlip, BoundsAgreeWithTheTest) {
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    List differences;
    const std::uint64_t count = 7 + trial % 20;
    for (std::uint32_t i = 0; i < count; ++i) {
      differences.push_back(sim::uniform({.seed = 3, .entity = trial, .draw = i}) - 0.35);
    }
    const SignFlipTest test = sign_flip_test(differences, 0.05);
    ASSERT_TRUE(test.low && test.high);
    EXPECT_EQ(*test.low > 0.0, test.p_greater <= 0.05);
    EXPECT_EQ(*test.high < 0.0, test.p_less <= 0.05);
  }
}

// Of one of few values, of a skewed one and of one with far outliers: what two runs of the same
// thing differ by is symmetric, so that the level holds.
TEST(SignFlip, KeepsItsLevelWhateverTheShape) {
  constexpr int trials = 2000;
  for (const int shape : {0, 1, 2}) {
    for (const std::uint32_t count : {8U, 11U}) {
      int rejected = 0;
      for (std::uint64_t trial = 0; trial < trials; ++trial) {
        List differences;
        const auto value = [&](std::uint32_t i) {
          const double u = sim::uniform({.seed = 9, .entity = trial, .draw = i});
          if (shape == 0) return u < 0.8 ? 1.0 : 0.0;
          return shape == 1 ? u * u * u : 1.0 / (1e-3 + u);
        };
        for (std::uint32_t i = 0; i < count; ++i) {
          differences.push_back(value(2 * i) - value(2 * i + 1));
        }
        rejected += sign_flip_test(differences, 0.05).p_less <= 0.05 ? 1 : 0;
      }
      EXPECT_LE(rejected / static_cast<double>(trials), 0.065) << shape << ' ' << count;
    }
  }
}

}  // namespace
}  // namespace cubicbench::support
