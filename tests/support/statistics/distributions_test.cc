#include "support/statistics/distributions.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/statistics/incomplete_beta.h"
#include "support/statistics/normal.h"

namespace cubicbench::support {
namespace {

TEST(Distributions, EqualClosedForms) {
  EXPECT_NEAR(log_gamma(5.0), std::log(24.0), 1e-14);
  EXPECT_NEAR(log_gamma(0.5), 0.5 * std::log(std::acos(-1.0)), 1e-14);
  EXPECT_NEAR(incomplete_beta(1.0, 3.0, 0.25), 1.0 - 0.75 * 0.75 * 0.75, 1e-14);
  EXPECT_NEAR(incomplete_beta(2.0, 1.0, 0.75), 0.5625, 1e-14);
  EXPECT_NEAR(chi_squared_tail(3.0, 2.0), std::exp(-1.5), 1e-14);
  EXPECT_NEAR(chi_squared_tail(4.0, 1.0), 2.0 * normal_tail(2.0), 1e-14);
  EXPECT_NEAR(f_tail(3.0, 2.0, 2.0), 0.25, 1e-14);  // 1 / (1 + x)
}

// The range of two is |X - Y|, whose standard deviation is sqrt(2).
TEST(Distributions, RangeOfTwoIsNormal) {
  for (const double q : {0.1, 1.0, 3.0, 6.0}) {
    EXPECT_NEAR(normal_range_tail(q, 2), 2.0 * normal_tail(q / std::sqrt(2.0)), 1e-13);
  }
  EXPECT_NEAR(normal_range_tail(normal_range_quantile(0.05, 7), 7), 0.05, 1e-12);
}

TEST(Distributions, EndAtOneAndZero) {
  EXPECT_EQ(chi_squared_tail(0.0, 3.0), 1.0);
  EXPECT_EQ(f_tail(-1.0, 3.0, 4.0), 1.0);
  EXPECT_EQ(normal_range_tail(0.0, 3), 1.0);
  EXPECT_LT(normal_range_tail(19.0, 3), 1e-12);
}

}  // namespace
}  // namespace cubicbench::support
