#include <gtest/gtest.h>

#include <vector>

#include "support/statistics/mann_whitney.h"

namespace cubicbench::support {
namespace {

using List = std::vector<double>;

// Of the 12 pairs of 2 5 7 and 1 2 6 9: 2 wins one and ties one, 5 wins two, 7 wins three.
TEST(A12, CountsPairsAndHalfOfTies) {
  EXPECT_DOUBLE_EQ(a12(List{2, 5, 7}, List{1, 2, 6, 9}), 6.5 / 12.0);
  EXPECT_DOUBLE_EQ(a12(List{1, 2, 6, 9}, List{2, 5, 7}), 5.5 / 12.0);
}

TEST(A12, EndsAtZeroAndOne) {
  EXPECT_EQ(a12(List{3, 4}, List{1, 2}), 1.0);
  EXPECT_EQ(a12(List{1, 2}, List{3, 4}), 0.0);
  EXPECT_EQ(a12(List{5, 5}, List{5}), 0.5);
}

}  // namespace
}  // namespace cubicbench::support
