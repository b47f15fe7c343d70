#include "results/studies/searcher_curves.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "results/regret/searched_problem.h"
#include "results/searches/search_figure.h"
#include "tests/search/written_search.h"
#include "tests/temporary_folder.h"

namespace cubicbench::results {
namespace {

using testing::HasSubstr;

TEST(SearcherCurves, HaveBootstrapBandsWhenAskedTo) {
  const TemporaryFolder folder;
  for (const char* const searcher : {"random", "evolution"}) {
    for (int seed = 0; seed < 3; ++seed) {
      const double best = 10.0 + seed;
      search::write_study(
          folder.path(), searcher + std::to_string(seed),
          {.searcher = searcher, .seed = seed, .launches = {{.value = 5.0}, {.value = best}}});
    }
  }
  const search::StudySet set = search::read_study_set(std::array{folder.path()});
  const CurveOptions options{.bootstrap = 200};
  const SearchedProblem problem = searched_problems(set, {}, options).front();
  const auto& series = problem.series;
  ASSERT_EQ(series.size(), 2U);
  for (const SearchedSeries& one : series) {
    ASSERT_EQ(one.curves.low.size(), 2U) << one.curves.series;
    EXPECT_EQ(one.curves.low[0], 5.0);
    EXPECT_EQ(one.curves.high[0], 5.0);
  }
  // Of 10, 11 and 12 a resample's median is 10 or 12 in 7 of 27 each, the mean within 10 and 12.
  EXPECT_EQ(series[1].curves.low[1], 10.0);
  EXPECT_EQ(series[1].curves.high[1], 12.0);
  EXPECT_GE(series[0].curves.low[1], 10.0);
  EXPECT_LT(series[0].curves.low[1], 11.0);
  const std::string caption = search_caption(problem);
  EXPECT_THAT(caption, HasSubstr("in a band of its 95 % bootstrap interval (200 resamples of the "
                                 "seeds)."));
  EXPECT_THAT(caption, HasSubstr("the band is the same interval of the seeds' mean)."));
}

TEST(SearcherCurves, HaveTheBandOfTheMedianThatTheyShow) {
  const TemporaryFolder folder;
  for (int seed = 0; seed < 4; ++seed) {
    search::write_study(
        folder.path(), std::to_string(seed),
        {.searcher = "evolution", .seed = seed, .launches = {{.value = 10.0 + seed}}});
  }
  const search::StudySet set = search::read_study_set(std::array{folder.path()});
  const auto curves = searcher_curves(grouped_studies(set)[0], {.bootstrap = 2000});
  // A resample's median is the least of four in 5 % of them, its mean in 0.4 %.
  EXPECT_EQ(curves[0].frontier[0], 11.5);
  EXPECT_EQ(curves[0].low[0], 10.0);
  EXPECT_EQ(curves[0].high[0], 13.0);
}

TEST(SeedBand, IsTheQuartilesUnlessABootstrapIsAskedFor) {
  const std::vector<double> values{0.0, 2.0, 8.0};
  EXPECT_EQ(seed_band(values, {}, support::Centre::median),
            (support::Interval{.low = 1.0, .high = 5.0}));
  EXPECT_EQ(seed_band(values, {.bootstrap = 50}, support::Centre::mean),
            support::bootstrap_interval(values, 50, support::Centre::mean));
}

}  // namespace
}  // namespace cubicbench::results
