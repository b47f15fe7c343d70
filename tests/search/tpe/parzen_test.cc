#include "search/tpe/parzen.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace cubicbench::search {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

/// P(low < X < high) of a normal, over what lies between the ends.
double share(double centre, double width, double low, double high, double ends_low,
             double ends_high) {
  const auto below = [&](double x) {
    return 0.5 * std::erfc(-(x - centre) / width / std::sqrt(2.0));
  };
  return (below(high) - below(low)) / (below(ends_high) - below(ends_low));
}

TEST(ParzenWeights, AreOneForTheLatestAndRampUpBefore) {
  EXPECT_THAT(parzen_weights(0), ElementsAre(1.0));
  EXPECT_THAT(parzen_weights(3), ElementsAre(0.25, 0.25, 0.25, 0.25));
  // Of 28 the three oldest are at 1/28, the middle, and 1: a ramp of three; then 25 and the prior.
  const std::vector<double> weights = parzen_weights(28);
  ASSERT_EQ(weights.size(), 29U);
  const double first = 1.0 / 28.0;
  const double all = first + 0.5 * (1.0 + first) + 1.0 + 25.0 + 1.0;
  EXPECT_NEAR(weights[0], first / all, 1e-15);
  EXPECT_NEAR(weights[1], 0.5 * (1.0 + first) / all, 1e-15);
  EXPECT_NEAR(weights[2], 1.0 / all, 1e-15);
  EXPECT_NEAR(weights.back(), 1.0 / all, 1e-15);
  EXPECT_NEAR(sum(weights), 1.0, 1e-14);
  // One older than 25 has the ramp's first step.
  EXPECT_NEAR(parzen_weights(26)[0] / parzen_weights(26)[1], 1.0 / 26.0, 1e-15);
}

TEST(ParzenDensity, OfLabelsCountsAndSmooths) {
  // Two observations: each gives its level 1 + 1/3 and the others 1/3, over 1 + 3/3 = 2.
  CutNormals normals;
  const std::vector<std::size_t> observed{2, 2};
  const auto density = parzen_density({.levels = 3}, observed, {}, normals);
  const double others = 2.0 / 3.0 * (1.0 / 6.0) + 1.0 / 9.0;
  EXPECT_THAT(density, ElementsAre(DoubleNear(others, 1e-15), DoubleNear(others, 1e-15),
                                   DoubleNear(2.0 / 3.0 * (2.0 / 3.0) + 1.0 / 9.0, 1e-15)));
}

TEST(ParzenDensity, WithoutObservationsIsThePrior) {
  CutNormals normals;
  EXPECT_THAT(parzen_density({.levels = 2}, {}, {}, normals), ElementsAre(0.5, 0.5));
  const auto ordered = parzen_density({.levels = 3, .ordered = true}, {}, {}, normals);
  EXPECT_NEAR(ordered[1], share(1.0, 3.0, 0.5, 1.5, -0.5, 2.5), 1e-14);
  EXPECT_NEAR(ordered[0], ordered[2], 1e-15);
  EXPECT_NEAR(sum(ordered), 1.0, 1e-14);
}

TEST(ParzenDensity, OfOrderedKnobsIsAsWideAsNeighboursAreFar) {
  // One observation at 1 of 10 levels; the prior stands at 4.5 with width 10. The observation is
  // the outermost, so it looks inwards: 3.5, within [10 / 3, 10].
  CutNormals normals;
  const std::vector<std::size_t> observed{1};
  const auto density = parzen_density({.levels = 10, .ordered = true}, observed, {}, normals);
  for (const int level : {0, 1, 5, 9}) {
    const double expected = 0.5 * share(1.0, 3.5, level - 0.5, level + 0.5, -0.5, 9.5) +
                            0.5 * share(4.5, 10.0, level - 0.5, level + 0.5, -0.5, 9.5);
    EXPECT_NEAR(density[static_cast<std::size_t>(level)], expected, 1e-14) << level;
  }
  EXPECT_NEAR(sum(density), 1.0, 1e-14);
}

TEST(ParzenDensity, OfEqualObservationsHasTheOldestLookLeftAndTheLatestRight) {
  // Levels 1, 6, 6, 6 and the prior at 4.5, of 10. In order: 1 looks right (3.5); the prior; the
  // first 6 looks left (1.5, below the least width 10 / 6), the others are as narrow as may be.
  CutNormals normals;
  const std::vector<std::size_t> observed{6, 1, 6, 6};
  const auto density = parzen_density({.levels = 10, .ordered = true}, observed, {}, normals);
  const double least = 10.0 / 6.0;
  for (const int level : {1, 4, 6, 8}) {
    const auto at = [&](double centre, double width) {
      return share(centre, width, level - 0.5, level + 0.5, -0.5, 9.5);
    };
    const double expected = 0.2 * (at(1.0, 3.5) + at(4.5, 10.0) + 3.0 * at(6.0, least));
    EXPECT_NEAR(density[static_cast<std::size_t>(level)], expected, 1e-14) << level;
  }
}

TEST(ParzenDensity, WithAWidthHasNormalsOfThatWidth) {
  CutNormals normals;
  const std::vector<std::size_t> observed{0, 3};
  const auto density = parzen_density({.levels = 4, .ordered = true}, observed, 1.25, normals);
  const double expected =
      (share(0.0, 1.25, 0.5, 1.5, -0.5, 3.5) + share(3.0, 1.25, 0.5, 1.5, -0.5, 3.5) +
       share(1.5, 4.0, 0.5, 1.5, -0.5, 3.5)) /
      3.0;
  EXPECT_NEAR(density[1], expected, 1e-14);
}

TEST(JointWidth, FollowsScottsRuleWithinBounds) {
  EXPECT_NEAR(joint_width(32, 1, 10), 0.2 * 0.5 * 10.0, 1e-12);  // 32^(-1/5) = 1/2
  EXPECT_NEAR(joint_width(0, 4, 10), 5.0, 1e-12);                // at least 10 / 2
  EXPECT_NEAR(joint_width(256, 4, 10), 0.2 * 0.5 * 10.0, 1e-12);
}

TEST(CutNormalMass, KeepsFarTails) {
  // Eight widths away, where a difference of distribution functions near one would be 0.
  const CutNormal normal(0.5, 6);
  const double expected = 0.5 * std::erfc(3.5 / 0.5 / std::sqrt(2.0));
  EXPECT_NEAR(normal.mass(0, 4) / expected / 1.1885, 1.0, 0.01);
  EXPECT_GT(normal.mass(0, 5), 0.0);
  EXPECT_NEAR(normal.mass(10, 1), normal.mass(0, 4), 1e-25);
}

}  // namespace
}  // namespace cubicbench::search
