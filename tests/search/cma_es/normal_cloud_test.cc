#include "search/cma_es/normal_cloud.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include "sim/base/numeric.h"

namespace cubicbench::search {
namespace {

TEST(CmaRates, OfTenCoordinatesAndTenPoints) {
  // ln 5.5 - ln(1, ..., 5) over their sum: .4563, .2708, .1622, .0852, .0255.
  const CmaRates rates(10, 10);
  EXPECT_NEAR(rates.weights[0], 0.4563, 1e-4);
  EXPECT_NEAR(rates.weights[4], 0.0255, 1e-4);
  const auto positive = rates.weights.begin() + 5;
  EXPECT_NEAR(std::accumulate(rates.weights.begin(), positive, 0.0), 1.0, 1e-15);
  EXPECT_NEAR(rates.mu_eff, 3.167, 1e-3);  // one over the sum of their squares
  EXPECT_NEAR(rates.c_one, 2.0 / (11.3 * 11.3 + 3.167), 1e-6);
  EXPECT_NEAR(rates.c_mu, 2.0 * (3.167 - 2.0 + 1.0 / 3.167) / (144.0 + 3.167), 1e-5);
  EXPECT_NEAR(rates.c_sigma, 5.167 / 18.167, 1e-4);
  EXPECT_NEAR(rates.d_sigma, 1.0 + rates.c_sigma, 1e-12);  // sqrt((mu_eff - 1) / 11) < 1
  EXPECT_NEAR(rates.c_path, (4.0 + 0.3167) / (14.0 + 0.6334), 1e-4);
  EXPECT_NEAR(rates.chi, std::sqrt(10.0) * (1.0 - 1.0 / 40.0 + 1.0 / 2100.0), 1e-12);
  // The least of 1 + c_one / c_mu, 1 + 2 mu_eff_minus / (mu_eff + 2), (1 - c_one - c_mu) / (n
  // c_mu).
  const double negative = -std::accumulate(positive, rates.weights.end(), 0.0);
  EXPECT_NEAR(negative, 1.0 + rates.c_one / rates.c_mu, 1e-12);
}

TEST(CmaRates, PointsGrowWithTheLogarithmOfCoordinates) {
  EXPECT_EQ(points_of_generation(1), 4U);
  EXPECT_EQ(points_of_generation(2), 6U);    // 3 ln 2 = 2.08
  EXPECT_EQ(points_of_generation(10), 10U);  // 6.9
  EXPECT_EQ(points_of_generation(30), 14U);  // 10.2
}

TEST(NormalCloud, SamplesAroundItsMean) {
  const NormalCloud cloud({1.0, -2.0, 0.0}, 0.5, 8);
  std::vector<double> sum(3, 0.0);
  std::vector<double> squares(3, 0.0);
  constexpr int draws = 20'000;
  for (std::uint64_t i = 0; i < draws; ++i) {
    RandomStream random(1, Stream::decision, i);
    const std::vector<double> sample = cloud.sample(random);
    for (std::size_t j = 0; j < 3; ++j) {
      const double away = sample[j] - cloud.mean()[j];
      sum[j] += away / draws;
      squares[j] += away * away / draws;
    }
  }
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_NEAR(sum[j], 0.0, 5.0 * 0.5 / std::sqrt(draws));
    EXPECT_NEAR(squares[j], 0.25, 5.0 * 0.25 * std::sqrt(2.0 / draws));
  }
}

/// A generation of the cloud's own samples, of which the least `loss` are the best.
void step(NormalCloud& cloud, std::uint64_t generation,
          const std::function<double(const std::vector<double>&)>& loss) {
  std::vector<std::vector<double>> samples;
  RandomStream random(5, Stream::decision, generation);
  for (std::size_t i = 0; i < cloud.points(); ++i) samples.push_back(cloud.sample(random));
  std::ranges::sort(samples, {}, loss);
  cloud.update(samples);
}

TEST(NormalCloud, ShrinksToTheBottomOfAnEllipsoid) {
  NormalCloud cloud({3.0, 3.0, 3.0, 3.0, 3.0}, 1.0, 8);
  for (std::uint64_t generation = 0; generation < 250; ++generation) {
    step(cloud, generation, [](const std::vector<double>& x) {
      double sum = 0.0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        sum += sim::pow(100.0, static_cast<double>(i) / 2.0) * x[i] * x[i];
      }
      return sum;
    });
  }
  for (const double each : cloud.mean()) EXPECT_NEAR(each, 0.0, 1e-6);
  // The axes follow the ellipsoid: the first is a hundred times as long as the last.
  EXPECT_NEAR(cloud.deviation(0) / cloud.deviation(4), 100.0, 70.0);
}

TEST(NormalCloud, GrowsDownASlopeUntilItIsOfNoUse) {
  NormalCloud cloud({0.0, 0.0}, 1.0, 6);
  std::uint64_t generation = 0;
  while (!cloud.degenerate() && generation < 1'000) {
    step(cloud, generation++, [](const std::vector<double>& x) { return x[0]; });
  }
  EXPECT_LT(cloud.mean()[0], -1e4);
  EXPECT_GT(generation, 10U);
  EXPECT_LT(generation, 200U);
}

TEST(NormalCloud, IsOfNoUseOnceAPoint) {
  NormalCloud cloud({0.0, 0.0}, 1.0, 6);
  const std::vector<std::vector<double>> nowhere(6, {0.0, 0.0});
  int generations = 0;
  while (!cloud.degenerate() && generations < 1'000) {
    cloud.update(nowhere);
    ++generations;
  }
  EXPECT_LT(generations, 1'000);
}

}  // namespace
}  // namespace cubicbench::search
