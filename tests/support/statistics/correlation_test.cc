#include "support/statistics/correlation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/philox.h"
#include "tests/support/statistics/stored_cases.h"

namespace cubicbench::support {
namespace {

using List = std::vector<double>;

TEST(Correlation, EqualsSciPyOnStoredCases) {
  const std::vector<StoredCase> cases = stored_cases("correlation_cases.txt");
  ASSERT_EQ(cases.size(), 1000U);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE("line " + std::to_string(i + 1));
    const auto& [a, b, answers] = cases[i];
    ASSERT_EQ(answers.size(), 3U);
    ASSERT_EQ(a.size(), b.size());
    EXPECT_NEAR(kendall_tau_b(a, b), answers[0], 1e-12);
    EXPECT_NEAR(spearman_rho(a, b), answers[1], 1e-12);
    EXPECT_NEAR(pearson_r(a, b), answers[2], 1e-12);
  }
}

// Of the six pairs of 1 2 3 4 and 1 3 2 4 one is discordant: (5 - 1) / 6. Squared differences of
// ranks sum to 2: rho = 1 - 6 x 2 / (4 x 15).
TEST(Correlation, MatchesHandComputedValues) {
  EXPECT_DOUBLE_EQ(kendall_tau_b(List{1, 2, 3, 4}, List{1, 3, 2, 4}), 4.0 / 6.0);
  EXPECT_DOUBLE_EQ(spearman_rho(List{1, 2, 3, 4}, List{1, 3, 2, 4}), 0.8);
  // Pairs: (1,2) tied in a; (1,3), (2,3) concordant: 2 / sqrt(2 x 3).
  EXPECT_DOUBLE_EQ(kendall_tau_b(List{1, 1, 2}, List{1, 2, 3}), 2.0 / std::sqrt(6.0));
  EXPECT_DOUBLE_EQ(pearson_r(List{0, 1}, List{5, 3}), -1.0);
}

TEST(Correlation, IsZeroWithoutTwoDifferentValues) {
  for (const auto& [a, b] : {std::pair<List, List>{{}, {}},
                             {{1}, {2}},
                             {{1, 1, 1}, {1, 2, 3}},
                             {{1, 2, 3}, {4, 4, 4}},
                             {{0.1, 0.1, 0.1}, {0.1, 0.1, 0.1}},
                             {{0.0, -0.0}, {1, 2}}}) {
    EXPECT_EQ(kendall_tau_b(a, b), 0.0);
    EXPECT_EQ(spearman_rho(a, b), 0.0);
    EXPECT_EQ(pearson_r(a, b), 0.0);
  }
}

/// Tau-b by its definition, in O(n^2).
double tau_of_all_pairs(const List& a, const List& b) {
  std::int64_t difference = 0;
  std::int64_t untied_a = 0;
  std::int64_t untied_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const int in_a = (a[i] > a[j]) - (a[i] < a[j]);
      const int in_b = (b[i] > b[j]) - (b[i] < b[j]);
      difference += in_a * in_b;
      untied_a += in_a != 0;
      untied_b += in_b != 0;
    }
  }
  return static_cast<double>(difference) /
         std::sqrt(static_cast<double>(untied_a) * static_cast<double>(untied_b));
}

TEST(Correlation, CountsThePairsOfLongLists) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    List a;
    List b;
    for (std::uint64_t i = 0; i < 700; ++i) {
      const sim::Draw draw{.seed = seed, .entity = i};
      a.push_back(static_cast<double>(sim::uniform_below(draw, 5 + 40 * seed)));
      b.push_back(a.back() + static_cast<double>(sim::uniform_below(
                                 {.seed = seed, .entity = i, .draw = 1}, 5 + 40 * seed)));
    }
    EXPECT_NEAR(kendall_tau_b(a, b), tau_of_all_pairs(a, b), 1e-14);
    EXPECT_EQ(kendall_tau_b(a, b), kendall_tau_b(b, a));
  }
}

}  // namespace
}  // namespace cubicbench::support
