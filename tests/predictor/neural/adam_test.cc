#include "predictor/neural/adam.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace cubicbench::predictor {
namespace {

TEST(Adam, TakesTheStepsOfItsPaper) {
  // With decays 1/2 and 3/4. Step 1, slope 2: means 1 and 1, unbiased 2 and 4, so the step is
  // 0.1 x 2 / 2. Step 2, slope -1: means 0.5 + -0.5 = 0 and 0.75 + 0.25 = 1: no step. Step 3, slope
  // 1: mean 0.5, unbiased 0.5 / (7/8) = 4/7; square 0.75 + 0.25 = 1, unbiased 1 / (37/64).
  Adam adam(1, {.mean_decay = 0.5, .square_decay = 0.75, .epsilon = 0.0});
  std::array<float, 1> at{1.0F};
  adam.step(at, std::array{2.0F}, 0.1);
  EXPECT_NEAR(at[0], 0.9, 1e-6);
  adam.step(at, std::array{-1.0F}, 0.1);
  EXPECT_NEAR(at[0], 0.9, 1e-6);
  adam.step(at, std::array{1.0F}, 0.1);
  EXPECT_NEAR(at[0], 0.9 - 0.1 * (4.0 / 7.0) / std::sqrt(64.0 / 37.0), 1e-6);
}

TEST(Adam, FirstStepIsAsLongAsTheRateWhateverTheSlope) {
  Adam adam(3);
  std::array<float, 3> at{};
  adam.step(at, std::array{1e-3F, -50.0F, 0.0F}, 0.25);
  EXPECT_NEAR(at[0], -0.25, 1e-5);  // epsilon takes 1e-5 of it
  EXPECT_NEAR(at[1], 0.25, 1e-6);
  EXPECT_EQ(at[2], 0.0F);
}

TEST(Adam, FindsTheBottomOfABowl) {
  Adam adam(2);
  std::array<float, 2> at{};
  for (int step = 0; step < 2'000; ++step) {
    const std::array<float, 2> slopes{2.0F * (at[0] - 3.0F), 200.0F * (at[1] + 1.0F)};
    adam.step(at, slopes, 0.05 * (1.0 - step / 2'000.0));
  }
  EXPECT_NEAR(at[0], 3.0, 1e-3);
  EXPECT_NEAR(at[1], -1.0, 1e-3);
}

}  // namespace
}  // namespace cubicbench::predictor
