#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <numbers>

#include "sim/base/slowest.h"

namespace cubicbench::sim {
namespace {

TEST(LatestOf, IsTheLargestOfNormals) {
  // Of two: E max = E |a - b| / 2 = 1 / sqrt(pi). Of three: 1.5 / sqrt(pi).
  const double two = 1.0 / std::sqrt(std::numbers::pi);
  EXPECT_EQ(latest_of(1), 0.0);
  EXPECT_NEAR(latest_of(2), two, 5e-4);
  EXPECT_NEAR(latest_of(3), 1.5 * two, 0.02);
  EXPECT_NEAR(latest_of(4), 1.029, 1e-12);
  EXPECT_NEAR(latest_of(8), 1.424, 1e-12);
  EXPECT_NEAR(latest_of(1024), 3.248, 1e-12);
}

TEST(LatestOf, GrowsWithEveryOneMore) {
  for (std::int64_t n = 1; n < 5000; ++n) {
    EXPECT_LT(latest_of(n), latest_of(n + 1)) << n;
  }
  EXPECT_NEAR(latest_of(2048), 2.0 * 3.248 - 3.044, 1e-12);
}

}  // namespace
}  // namespace cubicbench::sim
