// What pages and scores make of a study with short launches.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <vector>

#include "results/document/figure.h"
#include "results/regret/study_end.h"
#include "results/score/suite_score.h"
#include "results/searches/search_figure.h"
#include "results/searches/search_rounds.h"
#include "results/studies/searcher_curves.h"
#include "tests/search/written_search.h"
#include "tests/temporary_folder.h"

namespace cubicbench::results {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using Places = std::vector<std::optional<std::int64_t>>;

/// Three launches at a fourth, of which the last fails, then two whole ones: 0.34375, 0.6875,
/// 1.03125, 2.03125 and 3.03125 launches are charged by their ends.
class ShortLaunches : public testing::Test {
 protected:
  ShortLaunches() {
    search::write_study(folder_.path(), "one",
                        {.searcher = "hyperband",
                         .trials = 4,
                         .launches = {{.value = 9.0, .truth = 9.0, .fidelity = 0.25},
                                      {.value = 8.0, .truth = 8.0, .fidelity = 0.25},
                                      {.value = 0.0, .reason = "oom_late", .fidelity = 0.25},
                                      {.value = 5.0, .truth = 5.0, .round = 1},
                                      {.value = 6.0, .truth = 6.0, .round = 1}}});
    set_ = search::read_study_set(std::array{folder_.path()});
  }

  search::StudyResult& study() { return set_.studies.front(); }
  SearchedProblem problem() const { return searched_problem(grouped_studies(set_)[0], {}, {}); }
  Places places(bool hide_failures) {
    Places places;
    for (const CurveJob& job : jobs_of(study(), hide_failures)) places.push_back(job.plotted_at);
    return places;
  }

  const TemporaryFolder folder_;
  search::StudySet set_;
};

TEST_F(ShortLaunches, HaveNoPlaceAndMoveThoseOfWholeOnes) {
  EXPECT_EQ(places(false), (Places{{}, {}, {}, 3, 4}));
  EXPECT_EQ(places(true), (Places{{}, {}, {}, 1, 2}));
  const auto jobs = jobs_of(study(), false);
  EXPECT_FALSE(jobs[2].best_so_far);
  EXPECT_EQ(jobs[3].best_so_far, 5.0);
  EXPECT_EQ(jobs[4].best_so_far, 6.0);
  EXPECT_EQ(jobs[4].cost_gpu_hours, 5.0);
}

TEST_F(ShortLaunches, AreDrawnWhereTheBudgetIs) {
  const SearchedProblem shown = problem();
  // Places before a whole launch are of its round.
  EXPECT_THAT(rounds_of(shown.series[0].curves, false), ElementsAre(1, 1, 1, 1));
  const Figure figure = search_figure(shown, "f");
  std::vector<FigurePoint> points;
  for (const Series& series : figure.series) {
    if (series.style != SeriesStyle::dots) continue;
    points.insert(points.end(), series.points.begin(), series.points.end());
  }
  EXPECT_THAT(points, Contains(FigurePoint{3, 5}));
  EXPECT_THAT(points, Contains(FigurePoint{4, 6}));
  EXPECT_THAT(points, Not(Contains(testing::Field(&FigurePoint::y, 9))));
  ASSERT_EQ(figure.strip.size(), 1U);
  std::vector<FigurePoint> failed;
  for (const Series& series : figure.strip[0].series) {
    failed.insert(failed.end(), series.points.begin(), series.points.end());
  }
  EXPECT_THAT(failed, ElementsAre(FigurePoint{1.03125, 0.0}));
  EXPECT_THAT(search_caption(shown), HasSubstr(" Jobs that ran a share of their steps count in "
                                               "part and have no dot."));
}

TEST_F(ShortLaunches, ScoreNothingAndCost) {
  // Optimum 10, median 2, baseline 4, nothing found 0: scores of -2/3, 1/6 and 1/3.
  const search::RegretScale scale{.best = 10.0, .reference = 2.0, .failure = 0.0};
  const StudyEnd end = end_of(study(), {.baseline = 4.0, .scale = scale});
  ASSERT_TRUE(end.curve);
  const StudyScore score = study_score(end, scale, 4.0);
  ASSERT_EQ(score.after.size(), 4U);
  EXPECT_DOUBLE_EQ(score.after[0], -2.0 / 3.0);
  EXPECT_DOUBLE_EQ(score.after[1], -2.0 / 3.0);
  EXPECT_DOUBLE_EQ(score.after[2], 1.0 / 6.0);
  EXPECT_DOUBLE_EQ(score.after[3], 1.0 / 3.0);
  EXPECT_THAT(score.gpu_hours, ElementsAre(2.0, 3.0, 4.0, 5.0));
  EXPECT_EQ(score.failed_share, 0.2);
  EXPECT_DOUBLE_EQ(score.lost_to_noise, 0.0);  // of what ran short, 9 would have been better
}

TEST_F(ShortLaunches, OfAConfigurationAreNoDuplicatesOfAWholeOne) {
  study().launches[3].config = study().launches[0].config;
  EXPECT_EQ(tally_of(study()).duplicates, 0);
  study().launches[1].config = study().launches[0].config;
  EXPECT_EQ(tally_of(study()).duplicates, 1);
}

}  // namespace
}  // namespace cubicbench::results
