#include "search/constrained_gp/job_models.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace cubicbench::search {
namespace {

using predictor::KnobAxis;
using predictor::Levels;

/// One knob of twelve places.
const std::vector<KnobAxis>& axes() {
  static const std::vector<KnobAxis> one = [] {
    KnobAxis axis;
    for (int i = 0; i < 12; ++i) axis.places.push_back(0.25 * i);
    return std::vector{axis};
  }();
  return one;
}

Job at(std::uint8_t level, JobEnd end) {
  Job job;
  job.config = {level};
  job.levels = {level};
  job.end = end;
  return job;
}

Job ran_at(std::uint8_t level, double score, std::optional<double> peak = {}) {
  Job job = at(level, JobEnd::ran);
  job.score = score;
  job.peak_bytes = peak;
  job.hours = 1.0 / score;
  return job;
}

double worth(const JobModels& models, std::uint8_t level) {
  const Acquisition acquisition = models.acquisition();
  Correlations correlations = acquisition.correlations(Levels{level});
  return acquisition.worth(correlations);
}

double chance(const JobModels& models, std::uint8_t level) {
  const Acquisition acquisition = models.acquisition();
  Correlations correlations = acquisition.correlations(Levels{level});
  return acquisition.chance(correlations);
}

TEST(JobModels, KnowsNothingOfEqualScores) {
  JobModels models(axes(), {});
  models.learn();
  EXPECT_FALSE(models.informed());
  models.add(ran_at(1, 2.0));
  models.add(ran_at(3, 2.0));
  models.add(at(5, JobEnd::unknown));
  models.learn();
  EXPECT_FALSE(models.informed());
  EXPECT_FALSE(models.recommended().has_value());
  models.add(ran_at(6, 3.0));
  models.learn();
  EXPECT_TRUE(models.informed());
}

TEST(JobModels, GoesUphillAsFarAsItRuns) {
  JobModels models(axes(), {});
  for (const std::uint8_t level : Levels{1, 3, 5}) models.add(ran_at(level, 1.0 + level));
  models.add(at(10, JobEnd::out_of_memory));
  models.add(at(11, JobEnd::out_of_memory));
  models.learn();
  EXPECT_EQ(models.best_jobs(1), std::vector<std::size_t>{2});
  EXPECT_GT(worth(models, 6), worth(models, 4));
  EXPECT_GT(worth(models, 6), worth(models, 9));
  EXPECT_GT(chance(models, 6), 0.5);
  EXPECT_LT(chance(models, 9), 0.5);
}

// Peaks grow by a factor of 1.2 a level and the limit is above level 5: nothing failed yet.
TEST(JobModels, SeesTheLimitOfMemoryComing) {
  JobModels models(axes(), {});
  JobModels blind(axes(), {.memory = false});
  double peak = 30e9;
  for (const std::uint8_t level : Levels{0, 1, 2, 3, 4, 5}) {
    models.add(ran_at(level, 1.0 + level, peak));
    blind.add(ran_at(level, 1.0 + level, peak));
    peak *= 1.2;
  }
  models.learn();
  blind.learn();
  EXPECT_EQ(chance(blind, 7), 1.0);
  EXPECT_LT(chance(models, 7), 0.85);
  EXPECT_LT(chance(models, 7), chance(models, 4));
  EXPECT_GT(chance(models, 0), 0.95);
}

TEST(JobModels, SeesTheLimitOfTimeComing) {
  JobModels models(axes(), {});
  for (const std::uint8_t level : Levels{3, 5, 7, 9}) models.add(ran_at(level, 1.0 + level));
  Job slow = at(0, JobEnd::too_slow);
  slow.hours = 0.5;
  models.add(slow);
  models.learn();
  EXPECT_GT(chance(models, 8), 0.95);
  EXPECT_LT(chance(models, 1), chance(models, 2));
}

TEST(JobModels, RecommendsNothingThatRanByLuck) {
  JobModels safe(axes(), {});
  JobModels risky(axes(), {});
  for (const std::uint8_t level : Levels{0, 1, 2, 3, 4, 5, 6}) {
    const double peak = level == 6 ? 60e9 : 30e9 + 1e9 * level;
    risky.add(ran_at(level, 1.0 + level, peak));
    safe.add(ran_at(level, 1.0 + level, level == 2 ? 70e9 : peak));
  }
  risky.learn();
  safe.learn();
  EXPECT_EQ(risky.recommended(), std::optional<std::size_t>(5));  // 6 is at the limit
  EXPECT_EQ(safe.recommended(), std::optional<std::size_t>(6));
}

TEST(JobModels, ReplacesWhatItHeardBefore) {
  JobModels models(axes(), {});
  models.add(ran_at(1, 1.0));
  models.add(ran_at(5, 2.0));
  models.add(at(6, JobEnd::failed));
  models.learn();
  EXPECT_LT(chance(models, 6), 0.5);
  models.add(ran_at(6, 3.0));
  models.learn();
  EXPECT_EQ(models.jobs().size(), 3U);
  EXPECT_EQ(chance(models, 6), 1.0);
  EXPECT_EQ(models.best_jobs(5).front(), 2U);
}

}  // namespace
}  // namespace cubicbench::search
