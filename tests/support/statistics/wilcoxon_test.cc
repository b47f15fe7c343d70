#include "support/statistics/wilcoxon.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "sim/base/philox.h"
#include "support/statistics/normal.h"
#include "support/statistics/ranks.h"

namespace cubicbench::support {
namespace {

using List = std::vector<double>;

// Hollander and Wolfe's depression scores before and after therapy, as in R's help of wilcox.test:
// V = 40, p = 10 / 512 for the alternative "greater".
TEST(Wilcoxon, EqualsRsExample) {
  const List before{1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30};
  const List after{0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29};
  List differences;
  for (std::size_t i = 0; i < before.size(); ++i) differences.push_back(before[i] - after[i]);
  const RankTest test = wilcoxon_signed_rank(differences);
  EXPECT_EQ(test.statistic, 40.0);
  EXPECT_EQ(test.p_greater, 10.0 / 512.0);
  EXPECT_EQ(test.p_less, 505.0 / 512.0);
  EXPECT_EQ(test.p_two_sided, 20.0 / 512.0);
  EXPECT_TRUE(test.exact);
}

// Fifteen pairs of plants in SciPy's documentation of scipy.stats.wilcoxon: T = 24, which is W-, so
// that W+ = 120 - 24, and p = 0.041259765625, half of it for "greater".
TEST(Wilcoxon, EqualsSciPysExample) {
  const RankTest test =
      wilcoxon_signed_rank(List{6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75});
  EXPECT_EQ(test.statistic, 96.0);
  EXPECT_EQ(test.p_two_sided, 0.041259765625);
  EXPECT_EQ(test.p_greater, 0.0206298828125);
}

// Mid-ranks of 1 1 -1 2 2 are 2 2 2 4.5 4.5: W+ = 13 of 15. Of the 32 choices of signs four reach
// 13: no negative one (15), or one of the three twos (13).
TEST(Wilcoxon, CountsTiesExactly) {
  const RankTest test = wilcoxon_signed_rank(List{1, 1, -1, 2, 2});
  EXPECT_EQ(test.statistic, 13.0);
  EXPECT_EQ(test.p_greater, 4.0 / 32.0);
  EXPECT_EQ(test.p_less, 31.0 / 32.0);
}

// |d| = 0 0 1 1 1 3 have the ranks 1.5 1.5 4 4 4 6. With the zeros' ranks left out W+ = 4 + 4 + 6,
// and of 16 cases 4 have at least 14: all (18), or all but one 4. Without zeros the ranks are
// 2 2 2 4 and W+ = 8: as many.
TEST(Wilcoxon, RanksZerosOrDropsThem) {
  const List differences{0, 0, 1, 1, -1, 3};
  const RankTest ranked = wilcoxon_signed_rank(differences, Zeros::ranked);
  EXPECT_EQ(ranked.statistic, 14.0);
  EXPECT_EQ(ranked.p_greater, 4.0 / 16.0);
  EXPECT_EQ(ranked.p_less, 15.0 / 16.0);
  const RankTest dropped = wilcoxon_signed_rank(differences, Zeros::dropped);
  EXPECT_EQ(dropped.statistic, 8.0);
  EXPECT_EQ(dropped.p_greater, 4.0 / 16.0);
  EXPECT_EQ(wilcoxon_signed_rank(differences).statistic, ranked.statistic);
}

// Pratt's thirteen observations. Without the zero W- = 12: the sets of different numbers from 1 to
// 12 with sums 0 ... 12 are 1 1 1 2 2 3 4 5 6 8 10 12 15, together 70 of 4096. If all move down by
// 0.5 the sample has W- = 1 + 13: 109 of 8192, more significant although nothing moved up. With the
// zero ranked, W- = 13 of the ranks 2 ... 13, with 49 of 4096: moving down makes it less so.
TEST(Wilcoxon, RankedZerosAvoidPrattsParadox) {
  List sample{0, 2, 3, 4, 6, 7, 8, 9, 11, 14, 15, 17, -18};
  const double dropped = wilcoxon_signed_rank(sample, Zeros::dropped).p_greater;
  const double ranked = wilcoxon_signed_rank(sample, Zeros::ranked).p_greater;
  for (double& value : sample) value -= 0.5;
  const double moved = wilcoxon_signed_rank(sample).p_greater;
  EXPECT_EQ(dropped, 70.0 / 4096.0);
  EXPECT_EQ(ranked, 49.0 / 4096.0);
  EXPECT_EQ(moved, 109.0 / 8192.0);
}

TEST(Wilcoxon, SaysNothingOfNothing) {
  for (const List& nothing : {List{}, List{0.0}, List{0.0, -0.0, 0.0}}) {
    const RankTest test = wilcoxon_signed_rank(nothing);
    EXPECT_EQ(test.statistic, 0.0);
    EXPECT_EQ(test.p_less, 1.0);
    EXPECT_EQ(test.p_greater, 1.0);
    EXPECT_EQ(test.p_two_sided, 1.0);
  }
}

/// Integers from -3 to 5: ties and zeros.
List drawn_differences(std::uint64_t seed, std::size_t count) {
  List values;
  for (std::uint64_t i = 0; i < count; ++i) {
    values.push_back(static_cast<double>(sim::uniform_below({.seed = seed, .entity = i}, 9)) - 3.0);
  }
  return values;
}

/// W+ with the signs of `signs`, bit i for the i-th difference that is not 0.
double w_plus(const List& differences, std::uint32_t signs) {
  List sizes;
  for (const double difference : differences) sizes.push_back(std::fabs(difference));
  const List ranks = average_ranks(sizes);
  double sum = 0.0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (sizes[i] == 0.0) continue;
    if ((signs & 1U) != 0) sum += ranks[i];
    signs >>= 1;
  }
  return sum;
}

TEST(Wilcoxon, EqualsAnEnumerationOfAllSigns) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    const List differences = drawn_differences(seed, 2 + seed % 9);
    const RankTest test = wilcoxon_signed_rank(differences);
    const auto signs =
        static_cast<std::uint32_t>(1U << static_cast<unsigned>(std::ranges::count_if(
                                       differences, [](double d) { return d != 0.0; })));
    double at_least = 0.0;
    double at_most = 0.0;
    for (std::uint32_t i = 0; i < signs; ++i) {
      const double w = w_plus(differences, i);
      at_least += w >= test.statistic ? 1.0 : 0.0;
      at_most += w <= test.statistic ? 1.0 : 0.0;
    }
    EXPECT_EQ(test.p_greater, at_least / signs);
    EXPECT_EQ(test.p_less, at_most / signs);
  }
}

TEST(Wilcoxon, MirrorsWithTheSigns) {
  for (const std::size_t count : {12U, 80U}) {
    const List differences = drawn_differences(7, count);
    List mirrored = differences;
    for (double& value : mirrored) value = -value;
    const RankTest test = wilcoxon_signed_rank(differences);
    const RankTest other = wilcoxon_signed_rank(mirrored);
    EXPECT_NEAR(test.p_greater, other.p_less, 1e-14);
    EXPECT_NEAR(test.p_two_sided, other.p_two_sided, 1e-14);
  }
}

// Without ties the variance is n (n + 1) (2 n + 1) / 24; a set of t ties takes (t^3 - t) / 48 off.
TEST(Wilcoxon, IsNormalBeyondFiftyDifferences) {
  List differences;
  for (int i = 1; i <= 60; ++i) differences.push_back(i % 4 == 0 ? -i : i);
  // The 15 negative ranks 4, 8 ... 60 sum to 480.
  RankTest test = wilcoxon_signed_rank(differences);
  EXPECT_FALSE(test.exact);
  EXPECT_EQ(test.statistic, 60.0 * 61.0 / 2.0 - 480.0);
  const double variance = 60.0 * 61.0 * 121.0 / 24.0;
  EXPECT_NEAR(test.p_greater, normal_tail((1350.0 - 915.0 - 0.5) / std::sqrt(variance)), 1e-15);
  EXPECT_NEAR(test.p_less, normal_cdf((1350.0 - 915.0 + 0.5) / std::sqrt(variance)), 1e-15);

  for (int i = 0; i < 60; ++i) differences[static_cast<std::size_t>(i)] = i < 20 ? -1.0 : 1.0;
  test = wilcoxon_signed_rank(differences);
  EXPECT_EQ(test.statistic, 40.0 * 30.5);
  const double tied = variance - (60.0 * 60.0 * 60.0 - 60.0) / 48.0;
  EXPECT_NEAR(test.p_greater, normal_tail((1220.0 - 915.0 - 0.5) / std::sqrt(tied)), 1e-15);
}

// At 50 and 51 differences the two ways meet.
TEST(Wilcoxon, ApproximatesTheExactTest) {
  List differences;
  for (int i = 1; i <= 50; ++i) differences.push_back(i % 3 == 0 ? -i : i);
  const RankTest exact = wilcoxon_signed_rank(differences);
  differences.push_back(0.25);
  const RankTest approximate = wilcoxon_signed_rank(differences);
  EXPECT_TRUE(exact.exact);
  EXPECT_FALSE(approximate.exact);
  EXPECT_NEAR(approximate.p_greater / exact.p_greater, 1.0, 0.1);
}

}  // namespace
}  // namespace cubicbench::support
