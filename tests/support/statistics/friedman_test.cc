#include "support/statistics/friedman.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace cubicbench::support {
namespace {

using Blocks = std::vector<std::vector<double>>;

// Three treatments ranked 1 2 3 in each of four blocks: R = 1 2 3, chi^2 = 12 x 4 / 12 x (1 + 1) =
// 8, which is n (k - 1): F is infinite.
TEST(Friedman, IsLargestWhereAllBlocksAgree) {
  const FriedmanTest test = friedman(Blocks(4, {0.1, 0.2, 0.9}));
  EXPECT_EQ(test.mean_ranks, (std::vector<double>{1, 2, 3}));
  EXPECT_DOUBLE_EQ(test.chi_squared, 8.0);
  EXPECT_NEAR(test.p_chi_squared, std::exp(-4.0), 1e-14);  // with two degrees of freedom
  EXPECT_TRUE(std::isinf(test.f));
  EXPECT_EQ(test.p_f, 0.0);
}

TEST(Friedman, SaysNothingWhereEveryBlockIsOneTie) {
  const FriedmanTest test = friedman(Blocks(3, {5.0, 5.0}));
  EXPECT_EQ(test.p_chi_squared, 1.0);
  EXPECT_EQ(test.p_f, 1.0);
  EXPECT_EQ(nemenyi(test)[0][1], 1.0);
}

// Demsar's section 3.2.2 gives q_0.05 = 2.343 / sqrt(2)-free for three treatments as 2.343 and for
// ten as 3.164; his critical difference is q sqrt(k (k + 1) / (6 n)).
TEST(Friedman, HasTheCriticalDifferencesOfTables) {
  EXPECT_NEAR(nemenyi_critical_difference(3, 2, 0.05), 2.343 * 1.0, 1e-3);
  EXPECT_NEAR(nemenyi_critical_difference(10, 55, 0.05), 3.164 * std::sqrt(110.0 / 330.0), 1e-3);
}

// Two treatments are one pair, which Nemenyi's and Holm's tests judge alike.
TEST(Friedman, ComparesTwoTreatmentsInOneWay) {
  const FriedmanTest test = friedman(Blocks{{1, 2}, {1, 2}, {2, 1}, {1, 2}, {1, 3}});
  EXPECT_NEAR(nemenyi(test)[0][1], friedman_holm(test, 0)[1], 1e-10);
  EXPECT_EQ(friedman_holm(test, 1)[1], 1.0);
}

}  // namespace
}  // namespace cubicbench::support
