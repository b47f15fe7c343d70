#include "search/constrained_gp/learnt_process.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cubicbench::search {
namespace {

using predictor::KnobAxis;
using predictor::Levels;

const std::vector<KnobAxis>& plane_axes() {
  static const std::vector<KnobAxis> both{{.places = {0.0, 0.5, 1.0, 1.5}},
                                          {.places = {0.0, 0.5, 1.0, 1.5}}};
  return both;
}

/// All sixteen places of two knobs, each of which counts.
std::vector<Job> all_jobs() {
  std::vector<Job> jobs;
  for (std::uint8_t i = 0; i < 16; ++i) {
    Job job;
    job.levels = {static_cast<std::uint8_t>(i / 4), static_cast<std::uint8_t>(i % 4)};
    job.end = JobEnd::ran;
    job.score = 1.0 + job.levels[0] + 2.0 * job.levels[1];
    jobs.push_back(job);
  }
  return jobs;
}

Lesson lesson_of(const std::vector<Job>& jobs, std::size_t count) {
  Lesson lesson;
  for (std::size_t i = 0; i < count; ++i) lesson.add(i, jobs[i].score);
  return lesson;
}

TEST(LearntProcess, IsNoneWithoutTwoDifferentTargets) {
  const std::vector<Job> jobs = all_jobs();
  LearntProcess learnt(plane_axes(), {}, 100, Kept::highest);
  EXPECT_FALSE(learnt.informed());
  Lesson equal;
  for (std::size_t i = 0; i < 3; ++i) equal.add(i, 1.0);
  learnt.learn(jobs, equal);
  EXPECT_FALSE(learnt.informed());
  equal.add(3, 2.0);
  learnt.learn(jobs, equal);
  EXPECT_TRUE(learnt.informed());
}

TEST(LearntProcess, LearnsRowByRowAsAllAtOnce) {
  const std::vector<Job> jobs = all_jobs();
  LearntProcess grown(plane_axes(), {}, 100, Kept::highest);
  for (std::size_t count = 4; count <= 8; ++count) grown.learn(jobs, lesson_of(jobs, count));
  const predictor::GaussianProcess& process = grown.process();
  EXPECT_EQ(process.rows(), 8U);
  predictor::GaussianProcess straight(process.kernel(), process.noise());
  for (std::size_t i = 0; i < 8; ++i) straight.add(jobs[i].levels);
  straight.set_targets(lesson_of(jobs, 8).targets);
  EXPECT_EQ(process.at(jobs[12].levels).mean, straight.at(jobs[12].levels).mean);
  EXPECT_EQ(process.at(jobs[12].levels).deviation, straight.at(jobs[12].levels).deviation);
}

TEST(LearntProcess, BelievesUntilItLearns) {
  const std::vector<Job> jobs = all_jobs();
  LearntProcess learnt(plane_axes(), {}, 100, Kept::highest);
  learnt.learn(jobs, lesson_of(jobs, 6));
  const predictor::Normal before = learnt.process().at(jobs[15].levels);
  learnt.believe(jobs[15].levels);
  EXPECT_LT(learnt.process().at(jobs[15].levels).deviation, 0.5 * before.deviation);
  EXPECT_EQ(learnt.expected().jobs.size(), 6U);
  learnt.learn(jobs, lesson_of(jobs, 6));
  EXPECT_EQ(learnt.process().at(jobs[15].levels).deviation, before.deviation);
}

TEST(LearntProcess, KeepsTheBestAndTheLatest) {
  const std::vector<Job> jobs = all_jobs();
  Lesson lesson;
  const std::vector<double> targets{9.0, -1.0, 0.2, 8.0, -7.0, 0.1, 3.0, 2.0};
  for (std::size_t i = 0; i < targets.size(); ++i) lesson.add(i, targets[i]);
  LearntProcess highest(plane_axes(), {}, 4, Kept::highest);
  highest.learn(jobs, lesson);
  EXPECT_EQ(highest.expected().jobs, (std::vector<std::size_t>{0, 3, 6, 7}));
  LearntProcess nearest(plane_axes(), {}, 4, Kept::next_to_zero);
  nearest.learn(jobs, lesson);
  EXPECT_EQ(nearest.expected().jobs, (std::vector<std::size_t>{2, 5, 6, 7}));
}

}  // namespace
}  // namespace cubicbench::search
