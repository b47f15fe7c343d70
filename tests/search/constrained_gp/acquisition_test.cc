#include "search/constrained_gp/acquisition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "support/statistics/normal.h"

namespace cubicbench::search {
namespace {

using predictor::GaussianProcess;
using predictor::KnobAxis;
using predictor::Levels;
using predictor::Normal;
using predictor::ProductKernel;

TEST(ExpectedImprovement, IsThatOfANormal) {
  // At its mean a standard normal improves by its density, 1 / sqrt(2 pi).
  EXPECT_NEAR(expected_improvement({.mean = 3.0, .deviation = 1.0}, 3.0), 0.39894228040143, 1e-14);
  EXPECT_NEAR(expected_improvement({.mean = 3.0, .deviation = 2.0}, 3.0), 0.79788456080287, 1e-13);
  // Far above it is the difference; I(z) - I(-z) = z.
  EXPECT_NEAR(expected_improvement({.mean = 9.0, .deviation = 0.5}, 1.0), 8.0, 1e-12);
  EXPECT_NEAR(expected_improvement({.mean = 0.7, .deviation = 1.0}, 0.0) -
                  expected_improvement({.mean = -0.7, .deviation = 1.0}, 0.0),
              0.7, 1e-13);
}

TEST(ImprovementBound, IsNeverBelow) {
  for (double mean = -8.0; mean <= 8.0; mean += 0.25) {
    for (const double most : {0.1, 0.5, 1.0, 3.0}) {
      for (const double share : {0.01, 0.5, 1.0}) {
        EXPECT_GE(improvement_bound({.mean = mean, .deviation = most}, 0.0) + 1e-15,
                  expected_improvement({.mean = mean, .deviation = share * most}, 0.0))
            << mean << " " << most << " " << share;
      }
    }
  }
}

/// One knob of eight places; 0 and 7 are measured.
GaussianProcess made(double at_first, double at_last) {
  const std::vector<KnobAxis> axes{{.places = {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0}}};
  const std::array<double, 1> rates{0.3};
  GaussianProcess process(ProductKernel(axes, rates), 0.01);
  process.add(Levels{0});
  process.add(Levels{7});
  process.set_targets(std::array{at_first, at_last});
  return process;
}

TEST(Acquisition, IsTheExpectedImprovementTimesTheChanceToRun) {
  const GaussianProcess value = made(1.0, 2.0);
  const GaussianProcess memory = made(-1.0, 1.0);
  const GaussianProcess time = made(-0.5, 0.1);
  const Acquisition acquisition(&value, {&memory, &time}, 1.5);
  for (std::uint8_t at = 0; at < 8; ++at) {
    const Levels levels{at};
    Correlations correlations = acquisition.correlations(levels);
    const double bound = acquisition.bound(correlations);
    const double worth = acquisition.worth(correlations);
    const Normal m = memory.at(levels);
    const Normal t = time.at(levels);
    const double chance = std::max(0.005, support::normal_cdf(-m.mean / m.deviation) *
                                              support::normal_cdf(-t.mean / t.deviation));
    EXPECT_NEAR(worth, chance * expected_improvement(value.at(levels), 1.5), 1e-14);
    EXPECT_GE(bound + 1e-15, worth);
  }
}

TEST(Acquisition, MayCountTheDeviationOfTheValueManyTimes) {
  const GaussianProcess value = made(1.0, 2.0);
  const Acquisition curious(&value, {}, 1.5, 2.5);
  for (std::uint8_t at = 0; at < 8; ++at) {
    Correlations correlations = curious.correlations(Levels{at});
    const double bound = curious.bound(correlations);
    Normal wide = value.at(Levels{at});
    wide.deviation *= 2.5;
    const double worth = curious.worth(correlations);
    EXPECT_NEAR(worth, expected_improvement(wide, 1.5), 1e-14);
    EXPECT_GE(bound + 1e-15, worth);
  }
}

TEST(Acquisition, GoesByTheChanceAloneWhereNothingRan) {
  const GaussianProcess memory = made(-1.0, 1.0);
  const Acquisition acquisition(nullptr, {&memory}, 0.0);
  Correlations low = acquisition.correlations(Levels{1});
  Correlations high = acquisition.correlations(Levels{6});
  EXPECT_GT(acquisition.bound(low), 0.5);
  EXPECT_GT(acquisition.worth(low), 2.0 * acquisition.worth(high));
}

TEST(Acquisition, GoesToANeighbour) {
  const GaussianProcess value = made(1.0, 2.0);
  const GaussianProcess memory = made(-1.0, 1.0);
  const Acquisition acquisition(&value, {&memory}, 1.5);
  Correlations neighbour;
  NearCorrelations near = acquisition.near(Levels{2});
  acquisition.correlate(near, Levels{5}, neighbour);
  const Correlations straight = acquisition.correlations(Levels{5});
  EXPECT_NEAR(acquisition.worth(neighbour), acquisition.worth(straight), 1e-14);
}

TEST(Acquisition, SaysTheSameOfSeveralAtOnce) {
  const GaussianProcess value = made(1.0, 2.0);
  const GaussianProcess memory = made(-1.0, 1.0);
  const Acquisition acquisition(&value, {&memory}, 1.5);
  std::vector<Correlations> at;
  for (std::uint8_t level = 0; level < 6; ++level) {
    at.push_back(acquisition.correlations(Levels{level}));
  }
  std::vector<double> alone;
  for (const Correlations& one : at) alone.push_back(acquisition.worth(one));
  std::vector<double> together(at.size());
  acquisition.worth(at, together);
  EXPECT_EQ(together, alone);
  const double enough = alone[3];
  acquisition.worth(at, together, enough);
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (alone[i] > enough) {
      EXPECT_EQ(together[i], alone[i]);
    } else {
      EXPECT_LE(together[i], enough);
    }
  }
}

}  // namespace
}  // namespace cubicbench::search
