#include "results/score/suite_score.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace cubicbench::results {
namespace {

TEST(ScoreOfRegret, IsTheShareOfTheGapThatIsClosed) {
  // Optimum 40, median 20, baseline 30: regret 0.25 is a value of 35, halfway.
  const search::RegretScale scale{.best = 40.0, .reference = 20.0, .failure = 0.0};
  EXPECT_EQ(score_of_regret(0.25, scale, 30.0), 0.5);
  EXPECT_EQ(score_of_regret(0.0, scale, 30.0), 1.0);
  EXPECT_EQ(score_of_regret(0.5, scale, 30.0), 0.0);
  EXPECT_EQ(score_of_regret(0.75, scale, 30.0), -0.5);
  EXPECT_EQ(score_of_regret(2.0, scale, 30.0), -1.0);  // a value of 0, or none
  // Less is better: optimum 4, median 8, baseline 6, a value of 5.
  EXPECT_EQ(score_of_regret(0.25, {.best = 4.0, .reference = 8.0, .failure = 9.0}, 6.0), 0.5);
}

StudyScore study(std::vector<double> after, std::vector<double> gpu_hours) {
  return {.after = std::move(after), .gpu_hours = std::move(gpu_hours)};
}

/// Two problems; on the first two seeds, of which one ended early.
SearcherScore searcher() {
  SearcherScore of{.searcher = "a", .problems = {}};
  of.problems.push_back(
      {.problem = nullptr,
       .studies = {study({0.0, 0.5, 1.0}, {2.0, 4.0, 6.0}), study({0.0, 0.2}, {2.0, 3.0})},
       .baseline_gpu_hours = 2.0});
  of.problems.push_back({.problem = nullptr,
                         .studies = {study({-1.0, -1.0, 0.4}, {10.0, 20.0, 30.0})},
                         .baseline_gpu_hours = 10.0});
  return of;
}

TEST(SearcherScore, IsTheMeanOverProblemsOfTheMeanOverSeeds) {
  EXPECT_DOUBLE_EQ(searcher().score(), ((1.0 + 0.2) / 2.0 + 0.4) / 2.0);
  const std::vector<double> after = searcher().after_launches();
  ASSERT_EQ(after.size(), 3U);
  EXPECT_DOUBLE_EQ(after[0], (0.0 - 1.0) / 2.0);
  EXPECT_DOUBLE_EQ(after[1], (0.35 - 1.0) / 2.0);
  EXPECT_DOUBLE_EQ(after[2], searcher().score());  // the study that ended keeps its score
  const support::Interval interval = searcher().interval();
  EXPECT_LT(interval.low, searcher().score());
  EXPECT_GT(interval.high, searcher().score());
}

TEST(SearcherScore, AgainstGpuHoursCountsLaunchesThatHaveEnded) {
  EXPECT_DOUBLE_EQ(*searcher().after_gpu_hours(0.5), 0.0);
  EXPECT_DOUBLE_EQ(*searcher().after_gpu_hours(1.0), (0.0 - 1.0) / 2.0);
  // Three hours of the first problem: the second seed's second launch ended, the first's did not.
  EXPECT_DOUBLE_EQ(*searcher().after_gpu_hours(1.5), (0.1 - 1.0) / 2.0);
  EXPECT_DOUBLE_EQ(*searcher().after_gpu_hours(9.0), searcher().score());
  SearcherScore unknown = searcher();
  unknown.problems[1].baseline_gpu_hours.reset();
  EXPECT_FALSE(unknown.after_gpu_hours(1.0));
}

TEST(SearcherScore, ScattersAsItsProblemsDo) {
  EXPECT_FALSE(seed_sd(searcher()));  // one of them has a single seed
  SearcherScore of = searcher();
  of.problems[1].studies.push_back(study({0.0}, {1.0}));
  // Standard deviations over seeds: 0.8 / sqrt 2 and 0.4 / sqrt 2; of the mean of both a half of
  // the root of their squares' sum.
  EXPECT_DOUBLE_EQ(*seed_sd(of), std::sqrt(0.32 + 0.08) / 2.0);
}

TEST(Power, OfTheTextbook) {
  // z_0.975 + z_0.8 = 1.959964 + 0.841621.
  EXPECT_NEAR(smallest_difference(1.0, 2.0), 2.801585, 1e-6);
  EXPECT_NEAR(smallest_difference(0.2, 50.0), 2.801585 * 0.2 / 5.0, 1e-6);
}

TEST(SuiteScore, SaysWhyThereIsNone) {
  search::StudyResult study;
  study.scenario = "made-up";
  std::vector<SearchedProblem> problems(1);
  problems[0].study = &study;
  EXPECT_EQ(suite_score(problems).note, "There is no score: the optimum of made-up is not known.");
  problems[0].yardstick.scale = {.best = 4.0, .reference = 2.0, .failure = 0.0};
  problems[0].yardstick.baseline = 4.0;
  EXPECT_EQ(suite_score(problems).note,
            "There is no score: the baseline of made-up is its optimum.");
}

TEST(SuiteScore, WithoutABaselineBeginsAtTheMedian) {
  search::StudyResult study;
  study.scenario = "made-up";
  study.objective.direction = scenarios::Direction::maximize;
  study.telling = "bytes";
  study.launches.resize(2);
  std::vector<SearchedProblem> problems(1);
  problems[0].study = &study;
  problems[0].yardstick.scale = {.best = 4.0, .reference = 2.0, .failure = 0.0};
  StudyEnd end{.study = &study};
  end.curve.emplace().recommended = {1.0, 0.25};
  SearchedSeries series;
  series.end.name = "random";
  series.end.ends.push_back(std::move(end));
  problems[0].series.push_back(std::move(series));
  const SuiteScore suite = suite_score(problems);
  EXPECT_EQ(suite.from_median, std::vector<std::string>{"made-up"});
  EXPECT_EQ(suite.tellings, std::vector<std::string>{"bytes"});
  ASSERT_EQ(suite.searchers.size(), 1U);
  EXPECT_EQ(suite.searchers[0].problems[0].studies[0].after, (std::vector{0.0, 0.75}));
}

}  // namespace
}  // namespace cubicbench::results
