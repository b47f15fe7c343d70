#include "support/statistics/mann_whitney.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "sim/base/philox.h"
#include "support/statistics/normal.h"

namespace cubicbench::support {
namespace {

using List = std::vector<double>;

// Ages at diagnosis in SciPy's documentation of mannwhitneyu: U = 17, exact p = 1 / 9.
TEST(MannWhitney, EqualsSciPysExample) {
  const List males{19, 22, 16, 29, 24};
  const List females{20, 11, 17, 12};
  const RankTest test = mann_whitney(males, females);
  EXPECT_EQ(test.statistic, 17.0);
  EXPECT_EQ(test.p_two_sided, 2.0 * (7.0 / 126.0));
  EXPECT_TRUE(test.exact);
  EXPECT_EQ(mann_whitney_u(females, males), 5.0 * 4.0 - 17.0);
}

// Permeability of a membrane in R's help of wilcox.test (Hollander and Wolfe, 1973): W = 35,
// p = 0.1272 for "greater". Of C(15, 10) = 3003 choices 382 have at least that U.
TEST(MannWhitney, EqualsRsExample) {
  const List at_term{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46};
  const List early{1.15, 0.88, 0.90, 0.74, 1.21};
  const RankTest test = mann_whitney(at_term, early);
  EXPECT_EQ(test.statistic, 35.0);
  EXPECT_EQ(test.p_greater, 382.0 / 3003.0);
  EXPECT_EQ(test.p_less, 2693.0 / 3003.0);
}

// Pairs of 1 2 2 and 2 3 3 4: two ties, none larger, U = 1. Of the 35 choices of three of the ranks
// 1 3 3 3 5.5 5.5 7 those with a sum of at most 7 hold 1 and two threes: 3.
TEST(MannWhitney, CountsTiesExactly) {
  const RankTest test = mann_whitney(List{1, 2, 2}, List{2, 3, 3, 4});
  EXPECT_EQ(test.statistic, 1.0);
  EXPECT_EQ(test.p_less, 3.0 / 35.0);
  EXPECT_EQ(test.p_greater, 1.0);
  EXPECT_EQ(test.p_two_sided, 6.0 / 35.0);
}

TEST(MannWhitney, OfEqualValuesSaysNothing) {
  const RankTest few = mann_whitney(List{4, 4}, List{4, 4, 4});
  EXPECT_EQ(few.statistic, 3.0);
  EXPECT_EQ(few.p_two_sided, 1.0);
  const RankTest many = mann_whitney(List(40, 4.0), List(40, 4.0));
  EXPECT_EQ(many.statistic, 800.0);
  EXPECT_EQ(many.p_two_sided, 1.0);
}

List drawn_list(std::uint64_t seed, std::uint32_t side, std::size_t count) {
  List values;
  for (std::uint64_t i = 0; i < count; ++i) {
    const sim::Draw draw{.seed = seed, .entity = i, .draw = side};
    values.push_back(static_cast<double>(sim::uniform_below(draw, 6)));
  }
  return values;
}

/// U by its definition, over all pairs.
double u_of_pairs(const List& a, const List& b) {
  double u = 0.0;
  for (const double of_a : a) {
    for (const double of_b : b) u += of_a > of_b ? 1.0 : (of_a == of_b ? 0.5 : 0.0);
  }
  return u;
}

TEST(MannWhitney, EqualsAnEnumerationOfAllChoices) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    const List a = drawn_list(seed, 0, 1 + seed % 5);
    const List b = drawn_list(seed, 1, 1 + seed % 4);
    List all = a;
    all.insert(all.end(), b.begin(), b.end());
    const RankTest test = mann_whitney(a, b);
    EXPECT_EQ(test.statistic, u_of_pairs(a, b));
    double choices = 0.0;
    double at_least = 0.0;
    double at_most = 0.0;
    for (std::uint32_t choice = 0; choice < (1U << all.size()); ++choice) {
      if (static_cast<std::size_t>(std::popcount(choice)) != a.size()) continue;
      List chosen;
      List rest;
      for (std::size_t i = 0; i < all.size(); ++i) {
        ((choice >> i & 1U) != 0 ? chosen : rest).push_back(all[i]);
      }
      const double u = u_of_pairs(chosen, rest);
      choices += 1.0;
      at_least += u >= test.statistic ? 1.0 : 0.0;
      at_most += u <= test.statistic ? 1.0 : 0.0;
    }
    EXPECT_EQ(test.p_greater, at_least / choices);
    EXPECT_EQ(test.p_less, at_most / choices);
  }
}

// 30 odd against 30 even numbers: the i-th odd number exceeds i - 1 even ones, U = 435. Then 0 and
// 1 in the shares 2 : 1 and 1 : 2, where 10 x 10 pairs are won and 2 x 10 x 20 tied.
TEST(MannWhitney, IsNormalBeyondFiftyValues) {
  List odd;
  List even;
  for (int i = 1; i <= 30; ++i) {
    odd.push_back(2 * i - 1);
    even.push_back(2 * i);
  }
  RankTest test = mann_whitney(odd, even);
  EXPECT_FALSE(test.exact);
  EXPECT_EQ(test.statistic, 435.0);
  double sd = std::sqrt(900.0 * 61.0 / 12.0);
  EXPECT_NEAR(test.p_less, normal_cdf((435.5 - 450.0) / sd), 1e-15);
  EXPECT_NEAR(test.p_greater, normal_tail((434.5 - 450.0) / sd), 1e-15);

  List low(30, 0.0);
  List high(30, 1.0);
  for (std::size_t i = 0; i < 10; ++i) std::swap(low[i], high[i]);
  test = mann_whitney(low, high);
  EXPECT_EQ(test.statistic, 100.0 + 0.5 * 400.0);
  sd = std::sqrt(900.0 / 12.0 * (61.0 - 2.0 * (27'000.0 - 30.0) / (60.0 * 59.0)));
  EXPECT_NEAR(test.p_less, normal_cdf((300.5 - 450.0) / sd), 1e-15);
}

}  // namespace
}  // namespace cubicbench::support
