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
