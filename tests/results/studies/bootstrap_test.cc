#include "results/studies/bootstrap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "results/searches/search_figure.h"
#include "tests/results/search_folder.h"
#include "tests/temporary_folder.h"

namespace cubicbench::results {
namespace {

using testing::HasSubstr;

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

TEST(Bootstrap, MakesTheBandsOfSearchersWhenAskedTo) {
  const TemporaryFolder folder;
  for (const char* const searcher : {"random", "evolution"}) {
    for (int seed = 0; seed < 3; ++seed) {
      const double best = 10.0 + seed;
      write_study(
          folder.path(), searcher + std::to_string(seed),
          {.searcher = searcher, .seed = seed, .launches = {{.value = 5.0}, {.value = best}}});
    }
  }
  const StudySet set = read_study_set(std::array{folder.path()});
  const CurveOptions options{.bootstrap = 200};
  const SearchedProblem problem = searched_problem(grouped_studies(set)[0], {}, options);
  for (const SearchedSeries& series : problem.series) {
    const SearcherCurves& curves = series.curves;
    ASSERT_EQ(curves.low.size(), 2U) << curves.series;
    EXPECT_EQ(curves.low[0], 5.0);
    EXPECT_EQ(curves.high[0], 5.0);
  }
  // Of 10, 11 and 12 a resample's median is 10 or 12 in 7 of 27 each, the mean within 10 and 12.
  EXPECT_EQ(problem.series[1].curves.low[1], 10.0);
  EXPECT_EQ(problem.series[1].curves.high[1], 12.0);
  EXPECT_GE(problem.series[0].curves.low[1], 10.0);
  EXPECT_LT(problem.series[0].curves.low[1], 11.0);
  const std::string caption = search_caption(problem);
  EXPECT_THAT(caption, HasSubstr("in a band of its 95 % bootstrap interval (200 resamples of the "
                                 "seeds); dots"));
  EXPECT_THAT(caption, HasSubstr("the band is the same interval of the seeds' mean)."));
}

}  // namespace
}  // namespace cubicbench::results
