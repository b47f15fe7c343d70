#include "search/cma_es/margin.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "support/statistics/normal.h"
#include "tests/search/cma_es/stored_answers.h"

namespace cubicbench::search {
namespace {

/// The chances to lie below and above the value of the mean.
std::pair<double, double> leaving(const NormalCloud& cloud, const Margin& margin,
                                  std::size_t coordinate, double low, double high) {
  // A sample one deviation up says how far the coordinate is stretched.
  std::vector<double> sample(cloud.mean().begin(), cloud.mean().end());
  sample[coordinate] += cloud.sigma() * cloud.deviation(coordinate);
  const double mean = cloud.mean()[coordinate];
  const double deviation = margin.place(cloud, sample, coordinate) - mean;
  return {support::normal_cdf((low - mean) / deviation),
          support::normal_tail((high - mean) / deviation)};
}

TEST(Margin, KeepsTheChanceToLeaveTheEnds) {
  // Of two values with the boundary 0.5; the second coordinate is fifty deviations away from it.
  NormalCloud cloud({0.49, 1.0}, 0.01, 6);
  Margin margin({2, 2}, 0.02);
  margin.correct(cloud);
  EXPECT_DOUBLE_EQ(cloud.mean()[0], 0.49);  // one deviation: 16 %
  EXPECT_NEAR(leaving(cloud, margin, 1, 0.5, 0.5).first, 0.02, 1e-12);
  EXPECT_NEAR(cloud.mean()[1], 0.5 + 0.01 * 2.0537, 1e-6);
}

TEST(Margin, KeepsTheChanceToLeaveTheMiddle) {
  // Of five values the third, from 0.375 to 0.625; one is in its middle, one near the upper end.
  NormalCloud cloud({0.5, 0.62}, 0.01, 6);
  Margin margin({5, 5}, 0.02);
  margin.correct(cloud);
  const auto [below, above] = leaving(cloud, margin, 0, 0.375, 0.625);
  EXPECT_NEAR(below, 0.01, 1e-9);
  EXPECT_NEAR(above, 0.01, 1e-9);
  EXPECT_NEAR(cloud.mean()[0], 0.5, 1e-12);
  const auto [far, near] = leaving(cloud, margin, 1, 0.375, 0.625);
  EXPECT_NEAR(far, 0.01, 1e-9);
  // 30.85 % before; what the other side gained is taken from here and from the value itself, in
  // proportion to what each has to spare.
  EXPECT_NEAR(near, 0.3085 - 0.01 * 0.2985 / 0.98, 1e-4);
}

TEST(Margin, LeavesAWideCloudAlone) {
  NormalCloud cloud({0.5, 0.2}, 0.3, 6);
  Margin margin({5, 2}, 0.02);
  margin.correct(cloud);
  EXPECT_NEAR(cloud.mean()[0], 0.5, 1e-12);
  EXPECT_NEAR(cloud.mean()[1], 0.2, 1e-12);
  const auto [below, above] = leaving(cloud, margin, 0, 0.375, 0.625);
  EXPECT_NEAR(below, support::normal_cdf(-0.125 / 0.3), 1e-9);
  EXPECT_NEAR(above, below, 1e-9);
}

// Generation by generation what the package cmaes makes of the same samples.
TEST(Margin, StandsWhereCmaesStands) {
  const StoredAnswers stored("cmaes_samples.txt");
  std::vector<std::int64_t> levels;
  for (const double each : stored.numbers("levels")) {
    levels.push_back(static_cast<std::int64_t>(each));
  }
  const std::size_t n = levels.size();
  const std::size_t points = points_of_generation(n);
  NormalCloud cloud(std::vector<double>(n, 0.5), 1.0 / 6.0, points);
  Margin margin(levels, 1.0 / static_cast<double>(n * points));
  std::vector<std::vector<double>> generation;
  for (const StoredLine& line : stored.lines("sample")) {
    generation.push_back(line.numbers());
    if (generation.size() < points) continue;
    std::ranges::stable_sort(generation, std::ranges::greater(),
                             [](const std::vector<double>& sample) { return sample.back(); });
    for (auto& sample : generation) sample.pop_back();
    cloud.update(generation);
    margin.correct(cloud);
    generation.clear();
  }
  const auto mean = stored.numbers("mean");
  const auto stretch = stored.numbers("stretch");
  const auto deviation = stored.numbers("deviation");
  EXPECT_NEAR(cloud.sigma() / stored.numbers("sigma").front(), 1.0, 1e-9);
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_NEAR(cloud.mean()[i], mean[i], 1e-9) << i;
    EXPECT_NEAR(cloud.deviation(i) / deviation[i], 1.0, 1e-9) << i;
    std::vector<double> sample(cloud.mean().begin(), cloud.mean().end());
    sample[i] += 1.0;
    EXPECT_NEAR(margin.place(cloud, sample, i) - cloud.mean()[i], stretch[i], 1e-9) << i;
  }
}

}  // namespace
}  // namespace cubicbench::search
