#include "support/statistics/hodges_lehmann.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "sim/base/philox.h"
#include "support/statistics/mann_whitney.h"
#include "support/statistics/wilcoxon.h"

namespace cubicbench::support {
namespace {

using List = std::vector<double>;

void expect_interval(const std::optional<Interval>& interval, double low, double high) {
  ASSERT_TRUE(interval.has_value());
  EXPECT_NEAR(interval->low, low, 1e-12);
  EXPECT_NEAR(interval->high, high, 1e-12);
}

// Averages of 1, 2 and 6: 1, 1.5, 2, 3.5, 4, 6. Differences of 5, 7 and 1, 2, 6: -1, 1, 3, 4, 5, 6.
TEST(HodgesLehmann, IsTheMedianOfAverageOrDifference) {
  EXPECT_EQ(centre_of_differences(List{6, 1, 2}, 0.5).shift, 2.75);
  EXPECT_EQ(shift_between(List{5, 7}, List{1, 2, 6}, 0.5).shift, 3.5);
}

// Hollander and Wolfe's depression scores, before - after, as in R's help of wilcox.test: the
// pseudomedian is 0.46. P(W+ <= 5) = 10 / 512 is the last below 0.025, so the sixth smallest and
// sixth largest of the 45 averages are the ends: 0.010 and 0.786.
TEST(HodgesLehmann, EqualsRsPairedExample) {
  const List differences{0.952, -0.147, 1.022, 0.43, 0.62, 0.59, 0.49, -0.08, 0.01};
  const ShiftEstimate estimate = centre_of_differences(differences, 0.95);
  EXPECT_NEAR(estimate.shift, 0.46, 1e-12);
  expect_interval(estimate.interval, 0.010, 0.786);
  // P(W+ <= 8) = 25 / 512 is the last below 0.05.
  expect_interval(centre_of_differences(differences, 0.9).interval, 0.175, 0.726);
}

// Permeability of a membrane in R's help of wilcox.test: the difference in location is 0.305, its
// 95 % interval -0.15 to 0.76.
TEST(HodgesLehmann, EqualsRsExampleOfTwoSamples) {
  const List at_term{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46};
  const List early{1.15, 0.88, 0.90, 0.74, 1.21};
  const ShiftEstimate estimate = shift_between(at_term, early, 0.95);
  EXPECT_NEAR(estimate.shift, 0.305, 1e-12);
  expect_interval(estimate.interval, -0.15, 0.76);
}

// With n pairs the widest interval leaves out 2 of 2^n cases, with 3 + 3 values 2 of 20.
TEST(HodgesLehmann, HasNoIntervalOfTooFewValues) {
  EXPECT_FALSE(centre_of_differences(List{1, 2, 3, 4, 5}, 0.95).interval);
  expect_interval(centre_of_differences(List{1, 2, 3, 4, 5, 6}, 0.95).interval, 1.0, 6.0);
  expect_interval(centre_of_differences(List{1, 2, 3, 4, 5}, 0.9375).interval, 1.0, 5.0);
  EXPECT_FALSE(shift_between(List{1, 2, 3}, List{1, 2, 3}, 0.95).interval);
  expect_interval(shift_between(List{1, 2, 3}, List{1, 2, 3}, 0.9).interval, -2.0, 2.0);
}

/// Distinct values, so that no two averages or differences are equal.
List drawn(std::uint64_t seed, std::uint32_t side, std::size_t count) {
  List values;
  for (std::uint64_t i = 0; i < count; ++i) {
    values.push_back(sim::standard_normal({.seed = seed, .entity = i, .draw = side}) + 0.5);
  }
  return values;
}

List moved(List values, double by) {
  for (double& value : values) value -= by;
  return values;
}

// The interval holds exactly the shifts that the test does not reject, for exact tests and normal
// ones. The p of the approximation at the border is 0.05 but for one step of the statistic.
TEST(HodgesLehmann, HoldsTheShiftsThatTheTestAccepts) {
  constexpr double beside = 1e-9;
  for (const std::size_t count : {8U, 15U, 24U, 60U}) {
    SCOPED_TRACE(count);
    const List a = drawn(count, 0, count);
    const Interval paired = centre_of_differences(a, 0.95).interval.value();
    const List b = drawn(count, 1, count - 2);
    const Interval two = shift_between(a, b, 0.95).interval.value();
    for (const double sign : {-1.0, 1.0}) {
      const double end = sign < 0.0 ? paired.low : paired.high;
      EXPECT_GT(wilcoxon_signed_rank(moved(a, end - sign * beside)).p_two_sided, 0.05);
      EXPECT_LE(wilcoxon_signed_rank(moved(a, end + sign * beside)).p_two_sided, 0.05);
      const double end_of_two = sign < 0.0 ? two.low : two.high;
      EXPECT_GT(mann_whitney(moved(a, end_of_two - sign * beside), b).p_two_sided, 0.05);
      EXPECT_LE(mann_whitney(moved(a, end_of_two + sign * beside), b).p_two_sided, 0.05);
    }
  }
}

}  // namespace
}  // namespace cubicbench::support
