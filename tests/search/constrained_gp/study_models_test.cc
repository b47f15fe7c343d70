#include "search/constrained_gp/study_models.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "tests/search/small_spaces.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;

/// A trial that ran and was charged so much.
ToldTrial told_of(const Configuration& config, double gpu_hours, std::int64_t trial = 0) {
  return {.trial = trial,
          .config = config,
          .score = 1.0,
          .over_bytes = {},
          .cost_gpu_hours = gpu_hours};
}

// Jobs on more GPUs are charged more for the same time.
TEST(StudyModels, TakesTheTimeOfALaunchFromWhatItsGpusWereCharged) {
  scenarios::SpaceFacts facts;
  facts.gpus = 256;
  const scenarios::SearchSpace space =
      built({ordinal("micro_batch", {1, 2}), ordinal("gpus", {64, 256})}, {}, facts);
  StudyModels models(space, {});
  models.end(told_of({0, 0}, 128.0, 0));
  models.end(told_of({1, 1}, 128.0, 1));
  EXPECT_DOUBLE_EQ(models.models().jobs()[0].hours, 2.0);
  EXPECT_DOUBLE_EQ(models.models().jobs()[1].hours, 0.5);
}

TEST(StudyModels, TakesTheChargeAsItIsWhereAllLaunchesHaveTheSameGpus) {
  const scenarios::SearchSpace space = built({ordinal("micro_batch", {1, 2})});
  StudyModels models(space, {});
  models.end(told_of({0}, 128.0));
  EXPECT_DOUBLE_EQ(models.models().jobs()[0].hours, 128.0);
}

// Who is told of no failure sees it in what is never told: eight trials came behind it and ended.
TEST(StudyModels, TakesWhatEightLaterTrialsOvertookForAFailure) {
  const scenarios::SearchSpace space = built({ordinal("micro_batch", run_of(20))});
  StudyModels models(space, {});
  models.start({19}, 0);
  for (std::int64_t trial = 1; trial <= 8; ++trial) {
    EXPECT_EQ(models.models().jobs().size(), static_cast<std::size_t>(trial - 1));
    models.start({trial}, trial);
    models.end(told_of({trial}, 1.0, trial));
  }
  ASSERT_EQ(models.models().jobs().size(), 9U);
  EXPECT_EQ(models.models().jobs()[8].config, Configuration{19});
  EXPECT_EQ(models.models().jobs()[8].end, JobEnd::failed);
}

}  // namespace
}  // namespace cubicbench::search
