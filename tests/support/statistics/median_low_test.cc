#include "support/statistics/median_low.h"

#include <gtest/gtest.h>

namespace cubicbench::support {
namespace {

TEST(MedianLow, IsTheMiddleOrTheSmallerOfTwo) {
  EXPECT_EQ(median_low({5.0, 1.0, 2.0}), 2.0);
  EXPECT_EQ(median_low({5.0, 1.0, 2.0, -4.0}), 1.0);
  EXPECT_EQ(median_low({3.0, 1.0}), 1.0);
  EXPECT_EQ(median_low({8.0}), 8.0);
}

}  // namespace
}  // namespace cubicbench::support
