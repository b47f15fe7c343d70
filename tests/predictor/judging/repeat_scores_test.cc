#include "predictor/judging/repeat_scores.h"

#include <gtest/gtest.h>

#include <array>
#include <utility>

#include "sim/base/numeric.h"

namespace cubicbench::predictor {
namespace {

/// Jobs of 8, 8 and 16 GPUs that made 800, 1,600 and 3,200 tokens/s.
struct ThreeJobs {
  ThreeJobs() {
    for (const auto& [gpus, value] : {std::pair{8, 100.0}, {8, 200.0}, {16, 200.0}}) {
      datasets::Job job;
      job.gpus = gpus;
      job.value = value;
      data.jobs.push_back(job);
    }
  }
  datasets::Dataset data;
  datasets::Split split{.train = {0, 1, 2}, .test = {0, 1, 2}};
};

TEST(ScoreRepeat, CorrelatesWholeJobs) {
  const ThreeJobs jobs;
  const Predicted predicted{.of_test = {sim::log(100.0), sim::log(50.0), sim::log(100.0)},
                            .of_train = {},
                            .calibrated = true};
  const RepeatScores scores = score_repeat(jobs.data, jobs.split, predicted);
  // 800, 400 and 1,600 are predicted: two of three pairs agree, ranks 2, 1, 3 against 1, 2, 3.
  EXPECT_NEAR(scores.kendall_of_total.value_or(0.0), 1.0 / 3.0, 1e-15);
  EXPECT_NEAR(scores.spearman_of_total.value_or(0.0), 0.5, 1e-15);
  // Deviations from the means go as -1, -4, 5 and -4, -1, 5.
  EXPECT_NEAR(scores.pearson_of_total.value_or(0.0), 33.0 / 42.0, 1e-14);
}

TEST(ScoreRepeat, GivesScoresOfOrderTheUnitOfTheTrainingJobs) {
  const ThreeJobs jobs;
  // Logarithms to base 2, moved: their line through the training jobs has the slope log(2).
  const std::vector<double> guess{0.0, 1.0, 1.0};
  const Predicted predicted{.of_test = guess, .of_train = guess, .calibrated = false};
  const RepeatScores scores = score_repeat(jobs.data, jobs.split, predicted);
  EXPECT_FALSE(scores.mape);
  EXPECT_NEAR(scores.kendall_of_total.value_or(0.0), 1.0, 1e-15);
  EXPECT_NEAR(scores.spearman_of_total.value_or(0.0), 1.0, 1e-15);
  EXPECT_NEAR(scores.pearson_of_total.value_or(0.0), 1.0, 1e-14);
}

TEST(ScoreRepeat, HasNoWholeJobsWhereTheTargetIsTheirs) {
  ThreeJobs jobs;
  jobs.data.target = "samples_per_s";
  const Predicted predicted{.of_test = {1.0, 2.0, 3.0}, .of_train = {}, .calibrated = true};
  const RepeatScores scores = score_repeat(jobs.data, jobs.split, predicted);
  EXPECT_FALSE(scores.kendall_of_total);
  EXPECT_FALSE(scores.spearman_of_total);
  EXPECT_FALSE(scores.pearson_of_total);
}

}  // namespace
}  // namespace cubicbench::predictor
