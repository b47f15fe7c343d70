#include "support/statistics/bootstrap.h"

#include <gtest/gtest.h>

#include <array>

#include "sim/base/philox.h"
#include "support/statistics/mean.h"
#include "support/statistics/quantile.h"

namespace cubicbench::support {
namespace {

TEST(Bootstrap, OfOneValueIsThatValue) {
  const std::array one{7.0};
  EXPECT_EQ(bootstrap_interval(one, 10, Centre::median), (Interval{7.0, 7.0}));
  const std::array equal{3.0, 3.0, 3.0};
  EXPECT_EQ(bootstrap_interval(equal, 10, Centre::mean), (Interval{3.0, 3.0}));
}

TEST(Bootstrap, OfManyMeansComesNearTheNormalInterval) {
  // The means of resamples of 0 .. 99 spread by the standard deviation over the root of their
  // number, sqrt((100^2 - 1) / 12) / 10 = 2.887, so that 95 % lie within 49.5 +- 5.66.
  std::vector<double> values;
  for (int i = 0; i < 100; ++i) values.push_back(i);
  const Interval interval = bootstrap_interval(values, 4000, Centre::mean);
  EXPECT_NEAR(interval.low, 49.5 - 5.66, 0.4);
  EXPECT_NEAR(interval.high, 49.5 + 5.66, 0.4);
  EXPECT_EQ(interval, bootstrap_interval(values, 4000, Centre::mean));
}

// Recorded intervals must not change: resample r takes at place i the position that the draw of
// seed "band", entity r and number i says.
TEST(Bootstrap, DrawsByAFixedKey) {
  const std::vector<double> values{1.0, 5.0, 2.5, 9.0, 4.0, 0.5, 7.0};
  constexpr std::int64_t resamples = 40;
  std::vector<double> means;
  std::vector<double> medians;
  for (std::uint64_t r = 0; r < resamples; ++r) {
    std::vector<double> drawn;
    for (std::uint32_t i = 0; i < values.size(); ++i) {
      const sim::Draw draw{
          .seed = 0x62616e64, .purpose = sim::Purpose::bootstrap, .entity = r, .draw = i};
      drawn.push_back(values[sim::uniform_below(draw, values.size())]);
    }
    means.push_back(mean(drawn));
    medians.push_back(median(drawn));
  }
  const Interval of_means = bootstrap_interval(values, resamples, Centre::mean);
  EXPECT_DOUBLE_EQ(of_means.low, quantile(means, 0.025));
  EXPECT_DOUBLE_EQ(of_means.high, quantile(means, 0.975));
  const Interval of_medians = bootstrap_interval(values, resamples, Centre::median);
  EXPECT_DOUBLE_EQ(of_medians.low, quantile(medians, 0.025));
  EXPECT_DOUBLE_EQ(of_medians.high, quantile(medians, 0.975));
}

TEST(Bootstrap, TakesTheSamePositionsOfEveryList) {
  const std::array values{1.0, 5.0, 2.0, 9.0, 4.0};
  std::array<double, 5> moved{};
  for (std::size_t i = 0; i < values.size(); ++i) moved[i] = values[i] + 16.0;
  const Interval here = bootstrap_interval(values, 50, Centre::median);
  const Interval there = bootstrap_interval(moved, 50, Centre::median);
  EXPECT_DOUBLE_EQ(there.low, here.low + 16.0);
  EXPECT_DOUBLE_EQ(there.high, here.high + 16.0);
}

TEST(Bootstrap, OfManyListsIsThatOfEach) {
  const std::vector<std::vector<double>> lists{{1.0, 5.0, 2.0, 9.5}, {0.1, 0.2, 0.3, 0.7}};
  const std::vector<Interval> together = bootstrap_means(lists, 60);
  ASSERT_EQ(together.size(), 2U);
  for (std::size_t i = 0; i < lists.size(); ++i) {
    EXPECT_EQ(together[i], bootstrap_interval(lists[i], 60, Centre::mean));
  }
  EXPECT_TRUE(bootstrap_means({}, 60).empty());
}

TEST(NestedBootstrap, OfGroupsThatNeverDifferIsTheirMean) {
  const std::vector<std::vector<double>> equal{{2.0, 2.0}, {2.0}};
  EXPECT_EQ(bootstrap_nested(equal, 20), (Interval{2.0, 2.0}));
}

TEST(NestedBootstrap, HasTheSpreadOfGroupsAndThatWithinThem) {
  // Means of groups 0 .. 24, each the mean of 16 values that lie 8 above or below it. The mean of a
  // resample has the variance (25^2 - 1) / 12 / 25 of the groups, and 8^2 / 16 / 25 within them:
  // 2.08 + 0.16, of which 95 % lie within 1.96 x 1.497 = 2.93 of 12.
  std::vector<std::vector<double>> groups;
  for (int g = 0; g < 25; ++g) {
    groups.emplace_back();
    for (int i = 0; i < 16; ++i) groups.back().push_back(g + (i % 2 == 0 ? 8.0 : -8.0));
  }
  const Interval interval = bootstrap_nested(groups, 4000);
  EXPECT_NEAR(interval.low, 12.0 - 2.93, 0.25);
  EXPECT_NEAR(interval.high, 12.0 + 2.93, 0.25);
  EXPECT_EQ(interval, bootstrap_nested(groups, 4000));
}

// Groups that are all there are do not vary: two equal values each leave one centre, however far
// apart the groups lie, and the resamples of a group keep to it.
TEST(Bootstrap, KeepsGroupsThatAreAllThereAre) {
  const std::vector<std::vector<double>> constant{{1.0, 1.0}, {5.0, 5.0}};
  const GroupedStatistic mean_of_means = [](const std::vector<std::vector<double>>& groups) {
    double sum = 0.0;
    for (const std::vector<double>& group : groups) sum += mean(group);
    return sum / static_cast<double>(groups.size());
  };
  EXPECT_EQ(bootstrap_stratified(constant, 50, mean_of_means), (Interval{3.0, 3.0}));
  // Of 0 .. 99 in one group and a constant in the other half the spread is left.
  std::vector<std::vector<double>> groups{{}, std::vector<double>(3, 0.0)};
  for (int i = 0; i < 100; ++i) groups[0].push_back(i);
  const Interval interval = bootstrap_stratified(groups, 4000, mean_of_means);
  EXPECT_NEAR(interval.low, 24.75 - 2.83, 0.2);
  EXPECT_NEAR(interval.high, 24.75 + 2.83, 0.2);
}

}  // namespace
}  // namespace cubicbench::support
