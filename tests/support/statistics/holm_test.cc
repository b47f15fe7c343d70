#include "support/statistics/holm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace cubicbench::support {
namespace {

using List = std::vector<double>;

void expect_near(const List& values, const List& expected) {
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], expected[i], 1e-15) << i;
}

TEST(Holm, MatchesHandComputedValues) {
  // 4 x 0.01, 3 x 0.02, then 2 x 0.03 and 1 x 0.04, which may not be less than those before.
  expect_near(holm_adjusted(List{0.01, 0.02, 0.03, 0.04}), {0.04, 0.06, 0.06, 0.06});
  // Sorted 0.005 0.01 0.03 0.04: 0.02, 0.03, 0.06, 0.06.
  expect_near(holm_adjusted(List{0.01, 0.04, 0.03, 0.005}), {0.03, 0.06, 0.06, 0.02});
  expect_near(holm_adjusted(List{0.2, 0.6, 0.7}), {0.6, 1.0, 1.0});
}

TEST(Holm, LeavesOneTestAlone) {
  EXPECT_EQ(holm_adjusted(List{0.03}), List{0.03});
  EXPECT_EQ(holm_adjusted(List{}), List{});
}

// Holm's own procedure: from the smallest p on, reject while p_(j) <= alpha / (m - j + 1).
TEST(Holm, RejectsWhatTheProcedureRejects) {
  const List p{0.001, 0.2, 0.012, 0.013, 0.04, 0.0125, 0.9, 0.0124};
  const List adjusted = holm_adjusted(p);
  for (const double alpha : {0.005, 0.01, 0.05, 0.0625, 0.1, 0.3}) {
    SCOPED_TRACE(alpha);
    List sorted = p;
    std::ranges::sort(sorted);
    double largest = -1.0;
    for (std::size_t j = 0; j < sorted.size(); ++j) {
      if (sorted[j] > alpha / static_cast<double>(sorted.size() - j)) break;
      largest = sorted[j];
    }
    for (std::size_t i = 0; i < p.size(); ++i) EXPECT_EQ(adjusted[i] <= alpha, p[i] <= largest);
  }
}

}  // namespace
}  // namespace cubicbench::support
