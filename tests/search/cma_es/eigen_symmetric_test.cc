#include "search/cma_es/eigen_symmetric.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/philox.h"

namespace cubicbench::search {
namespace {

double product(const EigenSystem& system, std::size_t n, std::size_t a, std::size_t b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < n; ++i) sum += system.vectors[a * n + i] * system.vectors[b * n + i];
  return sum;
}

/// The largest difference between the matrix and what the system makes of it, and between the
/// vectors' products and those of orthonormal ones.
double error_of(const EigenSystem& system, const std::vector<double>& matrix, std::size_t n) {
  double worst = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0.0;
      for (std::size_t axis = 0; axis < n; ++axis) {
        sum += system.values[axis] * system.vectors[axis * n + i] * system.vectors[axis * n + j];
      }
      worst = std::max(worst, std::abs(sum - matrix[i * n + j]));
      worst = std::max(worst, std::abs(product(system, n, i, j) - (i == j ? 1.0 : 0.0)));
    }
  }
  return worst;
}

std::vector<double> sorted(std::vector<double> values) {
  std::ranges::sort(values);
  return values;
}

TEST(EigenSymmetric, FindsThoseOfTwoRows) {
  // (2 - x)^2 = 1, so 1 and 3, along (1, -1) and (1, 1).
  const EigenSystem system = eigen_symmetric(std::vector<double>{2, 1, 1, 2}, 2);
  EXPECT_THAT(sorted(system.values), testing::ElementsAre(testing::DoubleNear(1.0, 1e-15),
                                                          testing::DoubleNear(3.0, 1e-15)));
  for (const double each : system.vectors) EXPECT_NEAR(std::abs(each), std::sqrt(0.5), 1e-15);
}

TEST(EigenSymmetric, LeavesADiagonalAsItIs) {
  const EigenSystem system = eigen_symmetric(std::vector<double>{3, 0, 0, 0, -1, 0, 0, 0, 0}, 3);
  EXPECT_THAT(system.values, testing::ElementsAre(3.0, -1.0, 0.0));
  EXPECT_THAT(system.vectors, testing::ElementsAre(1, 0, 0, 0, 1, 0, 0, 0, 1));
  EXPECT_TRUE(eigen_symmetric({}, 0).values.empty());
}

TEST(EigenSymmetric, MakesTheMatrixAgain) {
  for (const std::size_t n : {1U, 2U, 3U, 7U, 20U, 45U}) {
    std::vector<double> matrix(n * n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        const double drawn =
            sim::standard_normal({.seed = 3, .entity = i, .draw = static_cast<std::uint32_t>(j)});
        matrix[i * n + j] = drawn;
        matrix[j * n + i] = drawn;
      }
    }
    EXPECT_LT(error_of(eigen_symmetric(matrix, n), matrix, n), 1e-13 * static_cast<double>(n)) << n;
  }
}

TEST(EigenSymmetric, EqualAndTinyValuesAreNoTrouble) {
  // All ones: 4 once and 0 three times.
  const std::vector<double> ones(16, 1.0);
  const EigenSystem system = eigen_symmetric(ones, 4);
  EXPECT_LT(error_of(system, ones, 4), 1e-14);
  EXPECT_NEAR(sorted(system.values).back(), 4.0, 1e-14);
  // Twelve orders of magnitude apart, the smaller is exact too: the determinant over the larger.
  const std::vector<double> wide{1.0, 1e-7, 1e-7, 2e-12};
  EXPECT_NEAR(sorted(eigen_symmetric(wide, 2).values).front() / 1.99e-12, 1.0, 1e-9);
}

}  // namespace
}  // namespace cubicbench::search
