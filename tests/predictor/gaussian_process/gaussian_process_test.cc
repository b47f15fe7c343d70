#include "predictor/gaussian_process/gaussian_process.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/base/philox.h"

namespace cubicbench::predictor {
namespace {

using Matrix = std::vector<std::vector<double>>;

/// By Gauss and Jordan, which shares nothing with a Cholesky factor.
Matrix inverse(Matrix a) {
  const std::size_t n = a.size();
  for (std::size_t i = 0; i < n; ++i) {
    a[i].resize(2 * n);
    a[i][n + i] = 1.0;
  }
  for (std::size_t i = 0; i < n; ++i) {
    const double pivot = a[i][i];
    for (double& entry : a[i]) entry /= pivot;
    for (std::size_t j = 0; j < n; ++j) {
      if (j == i) continue;
      const double times = a[j][i];
      for (std::size_t k = 0; k < 2 * n; ++k) a[j][k] -= times * a[i][k];
    }
  }
  for (std::vector<double>& row : a) row.erase(row.begin(), row.begin() + std::ptrdiff_t(n));
  return a;
}

std::vector<KnobAxis> two_axes() {
  return {{.places = {0.0, 0.5, 1.0, 1.5}}, {.places = {0.0, 0.0, 0.0}, .labels = true}};
}

struct Rows {
  std::vector<Levels> levels{{0, 0}, {1, 2}, {3, 1}, {2, 0}, {3, 2}};
  std::vector<double> targets{1.0, 3.0, 2.0, 5.0, 4.0};
};

GaussianProcess process(const Rows& rows, std::span<const double> rates, double noise) {
  GaussianProcess made(ProductKernel(two_axes(), rates), noise);
  for (const Levels& row : rows.levels) made.add(row);
  made.set_targets(rows.targets);
  return made;
}

/// m + k^T A (y - m) and s^2 (1 - k^T A k), written out.
Normal textbook(const Rows& rows, const ProductKernel& kernel, double noise, const Levels& at) {
  const std::size_t n = rows.levels.size();
  Matrix k(n, std::vector<double>(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) k[i][j] = kernel.between(rows.levels[i], rows.levels[j]);
    k[i][i] += noise;
  }
  const Matrix a = inverse(k);
  double mean = 0.0;
  for (const double y : rows.targets) mean += y / static_cast<double>(n);
  double variance = 0.0;
  for (const double y : rows.targets) variance += (y - mean) * (y - mean) / static_cast<double>(n);
  double sum = mean;
  double left = 1.0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const double weight = kernel.between(at, rows.levels[i]) * a[i][j];
      sum += weight * (rows.targets[j] - mean);
      left -= weight * kernel.between(at, rows.levels[j]);
    }
  }
  return {.mean = sum, .deviation = std::sqrt(variance * left)};
}

TEST(GaussianProcess, IsTheTextbooksFormula) {
  const Rows rows;
  const std::array<double, 2> rates{0.7, 1.3};
  for (const double noise : {0.001, 0.05, 1.0}) {
    const GaussianProcess made = process(rows, rates, noise);
    for (std::uint8_t number = 0; number < 4; ++number) {
      for (std::uint8_t label = 0; label < 3; ++label) {
        const Levels at{number, label};
        const Normal expected = textbook(rows, made.kernel(), noise, at);
        const Normal found = made.at(at);
        EXPECT_NEAR(found.mean, expected.mean, 1e-10);
        EXPECT_NEAR(found.deviation, expected.deviation, 1e-10);
      }
    }
    for (std::size_t row = 0; row < rows.levels.size(); ++row) {
      EXPECT_NEAR(made.mean_of_row(row), made.at(rows.levels[row]).mean, 1e-10);
    }
  }
}

// By scikit-learn 1.2.1: rows as numbers and half of a one-hot label, so that two labels are one
// apart, m and s mean and deviation of y:
//   GaussianProcessRegressor(PairwiseKernel(metric='laplacian', gamma=1/2), alpha=.01,
//                            optimizer=None).fit(X, (y - m) / s).predict(Z, return_std=True)
// and log_marginal_likelihood_value_ + n / 2 log(2 pi).
TEST(GaussianProcess, IsThatOfScikitLearn) {
  const std::array<double, 2> rates{0.5, 0.5};
  const GaussianProcess made = process({}, rates, 0.01);
  constexpr std::array<double, 3> means{0.9854753121601463, 4.3259669167869275, 3.0032222606135206};
  constexpr std::array<double, 3> deviations{0.9794809643330156, 0.6423768893549429,
                                             0.14011400500826457};
  const std::vector<Levels> asked{{0, 1}, {2, 2}, {1, 2}};
  for (std::size_t i = 0; i < asked.size(); ++i) {
    EXPECT_NEAR(made.at(asked[i]).mean, means[i], 1e-9);
    EXPECT_NEAR(made.at(asked[i]).deviation, deviations[i], 1e-9);
  }
  EXPECT_NEAR(made.log_likelihood(), -5.679674098390311, 1e-9);
}

TEST(GaussianProcess, KnowsWhatItMeasuredAndNothingFarAway) {
  const std::array<double, 2> rates{40.0, 40.0};
  const GaussianProcess made = process({}, rates, 1e-6);
  EXPECT_NEAR(made.at(Levels{2, 0}).mean, 5.0, 1e-3);
  EXPECT_NEAR(made.at(Levels{2, 0}).deviation, 0.0, 0.01);
  EXPECT_NEAR(made.at(Levels{0, 1}).mean, 3.0, 1e-3);  // the mean of the targets
  EXPECT_NEAR(made.at(Levels{0, 1}).deviation, std::sqrt(2.0), 1e-3);
}

TEST(GaussianProcess, GrowsAndForgets) {
  const std::array<double, 2> rates{0.7, 1.3};
  const Rows rows;
  GaussianProcess made = process(rows, rates, 0.01);
  const Normal before = made.at(Levels{1, 1});
  made.add(Levels{1, 1});
  std::vector<double> more = rows.targets;
  more.push_back(9.0);
  made.set_targets(more);
  EXPECT_GT(made.at(Levels{1, 1}).mean, 8.0);
  made.truncate(rows.levels.size());
  made.set_targets(rows.targets);
  EXPECT_EQ(made.at(Levels{1, 1}).mean, before.mean);
  EXPECT_EQ(made.at(Levels{1, 1}).deviation, before.deviation);
}

TEST(GaussianProcess, GoesToANeighbourByOneKnob) {
  const std::array<double, 2> rates{0.7, 1.3};
  const GaussianProcess made = process({}, rates, 0.01);
  Surroundings near = made.surroundings(Levels{0, 2});
  std::vector<double> k(made.rows());
  std::vector<double> straight(made.rows());
  for (const Levels& to : {Levels{3, 2}, Levels{3, 0}, Levels{0, 2}, Levels{3, 2}}) {
    made.correlate(near, to, k);
    made.correlate(to, straight);
    for (std::size_t i = 0; i < k.size(); ++i) EXPECT_NEAR(k[i], straight[i], 1e-15);
  }
}

TEST(GaussianProcess, IsTheSameHoweverRowsCome) {
  const std::array<double, 2> rates{0.7, 1.3};
  const Rows rows;
  const GaussianProcess one_by_one = process(rows, rates, 0.01);
  for (std::size_t alone = 0; alone < rows.levels.size(); ++alone) {
    GaussianProcess made(ProductKernel(two_axes(), rates), 0.01);
    for (std::size_t i = 0; i < alone; ++i) made.add(rows.levels[i]);
    made.add_rows(std::span(rows.levels).subspan(alone));
    made.set_targets(rows.targets);
    EXPECT_EQ(made.log_likelihood(), one_by_one.log_likelihood()) << alone;
    EXPECT_EQ(made.at(Levels{1, 1}).deviation, one_by_one.at(Levels{1, 1}).deviation) << alone;
  }
}

// No deviation is above what the nearest row alone leaves.
TEST(GaussianProcess, BoundsItsDeviation) {
  const std::array<double, 2> rates{0.3, 0.9};
  const GaussianProcess made = process({}, rates, 0.02);
  for (std::uint8_t number = 0; number < 4; ++number) {
    for (std::uint8_t label = 0; label < 3; ++label) {
      std::vector<double> k(made.rows());
      made.correlate(Levels{number, label}, k);
      EXPECT_LE(made.at(Levels{number, label}).deviation, made.deviation_bound(k) + 1e-12);
    }
  }
}

}  // namespace
}  // namespace cubicbench::predictor
