#include "support/statistics/mean.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace cubicbench::support {
namespace {

using List = std::vector<double>;

TEST(Mean, AddsInOrder) {
  EXPECT_EQ(mean(List{1.0, 2.0, 6.0}), 3.0);
  // 1e16 + 1 rounds to 1e16: in this order the ones are lost, in the other they are not.
  EXPECT_EQ(mean(List{1e16, 1.0, 1.0, -1e16}), 0.0);
  EXPECT_EQ(mean(List{1.0, 1.0, 1e16, -1e16}), 0.5);
}

TEST(Mean, OfNothingIsNothing) {
  EXPECT_EQ(mean_if_any({}), std::nullopt);
  EXPECT_EQ(mean_if_any(List{1.0, 2.0}), 1.5);
}

TEST(WeightedMean, CountsEachValueByItsWeight) {
  // (1 x 2 + 3 x 6) / 4, and 1 x (2 - 5)^2 + 3 x (6 - 5)^2 = 12 over 4.
  EXPECT_EQ(weighted_mean(List{2.0, 6.0}, List{1.0, 3.0}), 5.0);
  EXPECT_EQ(weighted_variance(List{2.0, 6.0}, List{1.0, 3.0}), 3.0);
}

TEST(Variance, IsOfAllOrOfASample) {
  // Mean 4: squares 9 + 1 + 1 + 9.
  const List values{1.0, 3.0, 5.0, 7.0};
  EXPECT_EQ(squares_about(values, 4.0), 20.0);
  EXPECT_EQ(squares_about(values, 3.0), 4.0 + 0.0 + 4.0 + 16.0);
  EXPECT_DOUBLE_EQ(variance(values, Drawn::all), 5.0);
  EXPECT_DOUBLE_EQ(variance(values, Drawn::sample), 20.0 / 3.0);
  EXPECT_EQ(variance(List{8.0}, Drawn::all), 0.0);
}

TEST(Variance, KeepsSmallDeviationsFromALargeMean) {
  EXPECT_EQ(variance(List{1e9 + 4.0, 1e9 + 7.0, 1e9 + 13.0, 1e9 + 16.0}, Drawn::sample), 30.0);
}

TEST(MeanAndSd, OfEqualValuesIsThatValueWithoutSpread) {
  // 0.1 + 0.1 + 0.1 is not 0.3: a third of a plain sum would be off by a bit.
  for (const double value : {0.1, 0.7, 1e300, -2.0 / 3.0}) {
    const MeanAndSd of = mean_and_sd(std::array{value, value, value});
    EXPECT_EQ(of.mean, value);
    EXPECT_EQ(of.sd, 0.0);
  }
}

TEST(MeanAndSd, IsOfTheSample) {
  const MeanAndSd of = mean_and_sd(std::array{1.0, 2.0, 3.0});
  EXPECT_EQ(of.mean, 2.0);
  EXPECT_EQ(of.sd, 1.0);  // (1 + 0 + 1) / 2
  EXPECT_EQ(mean_and_sd(std::array{5.0}).mean, 5.0);
  EXPECT_EQ(mean_and_sd(std::array{5.0}).sd, 0.0);
}

}  // namespace
}  // namespace cubicbench::support
