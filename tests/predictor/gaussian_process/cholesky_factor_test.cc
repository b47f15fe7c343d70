#include "predictor/gaussian_process/cholesky_factor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

namespace cubicbench::predictor {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

/// Of A = {{4, 2, 2}, {2, 5, 3}, {2, 3, 6}}, whose factor is {{2}, {1, 2}, {1, 1, 2}}: det A = 64.
CholeskyFactor by_hand() {
  CholeskyFactor factor;
  factor.add({}, 4.0);
  factor.add(std::vector{2.0}, 5.0);
  factor.add(std::vector{2.0, 3.0}, 6.0);
  return factor;
}

TEST(CholeskyFactor, SolvesByHand) {
  const CholeskyFactor factor = by_hand();
  std::vector<double> b{2.0, 5.0, 6.0};
  factor.solve_lower(b);  // 2 x = 2; 1 + 2 y = 5; 1 + 2 + 2 z = 6
  EXPECT_THAT(b, ElementsAre(1.0, 2.0, 1.5));
  std::vector<double> c{4.0, 4.0, 4.0};
  factor.solve_upper(c);  // 2 z = 4; 2 y + 2 = 4; 2 x + 1 + 2 = 4
  EXPECT_THAT(c, ElementsAre(0.5, 1.0, 2.0));
  EXPECT_NEAR(factor.log_determinant(), std::log(64.0), 1e-14);
}

/// 1 / (1 + |i - j|) off the diagonal.
std::vector<double> falling_row(std::size_t i) {
  std::vector<double> row;
  for (std::size_t j = 0; j < i; ++j) row.push_back(1.0 / static_cast<double>(1 + i - j));
  return row;
}

TEST(CholeskyFactor, IsTheSameOfRowsTogether) {
  constexpr std::size_t rows = 23;
  CholeskyFactor alone;
  for (std::size_t i = 0; i < rows; ++i) alone.add(falling_row(i), 2.0);
  for (std::size_t before = 0; before < rows; ++before) {
    CholeskyFactor factor;
    std::vector<std::vector<double>> together;
    for (std::size_t i = 0; i < rows; ++i) {
      if (i < before) {
        factor.add(falling_row(i), 2.0);
      } else {
        together.push_back(falling_row(i));
      }
    }
    factor.add_rows(together, 2.0);
    EXPECT_EQ(factor.size(), rows);
    EXPECT_EQ(factor.log_determinant(), alone.log_determinant()) << before;
  }
}

TEST(CholeskyFactor, SolvesFourAsOne) {
  CholeskyFactor factor;
  std::vector<double> one;
  std::vector<Four> four;
  for (std::size_t i = 0; i < 23; ++i) {
    factor.add(falling_row(i), 2.0);
    one.push_back(1.0 / static_cast<double>(i + 1));
    four.emplace_back().lanes = Four::Lanes{one[i], 2.0 * one[i], -one[i], 0.0};
  }
  factor.solve_lower(one);
  factor.solve_lower(four);
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(four[i].lanes[0], one[i]);
    EXPECT_EQ(four[i].lanes[1], 2.0 * one[i]);
    EXPECT_EQ(four[i].lanes[2], -one[i]);
    EXPECT_EQ(four[i].lanes[3], 0.0);
  }
}

TEST(CholeskyFactor, ForgetsItsLastRows) {
  CholeskyFactor factor = by_hand();
  factor.truncate(1);
  EXPECT_EQ(factor.size(), 1U);
  EXPECT_NEAR(factor.log_determinant(), std::log(4.0), 1e-15);
  factor.add(std::vector{2.0}, 5.0);
  factor.add(std::vector{2.0, 3.0}, 6.0);
  EXPECT_EQ(factor.log_determinant(), by_hand().log_determinant());
}

TEST(CholeskyFactor, LivesWithARowThatIsThereTwice) {
  CholeskyFactor factor;
  factor.add({}, 1.0);
  factor.add(std::vector{1.0}, 1.0);
  std::vector<double> b{1.0, 1.0};
  factor.solve_lower(b);
  EXPECT_THAT(b, ElementsAre(1.0, DoubleNear(0.0, 1e-9)));
}

}  // namespace
}  // namespace cubicbench::predictor
