#include "search/learnt/learnt_jobs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace cubicbench::search {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

Job job(JobEnd end, double score = 0.0) {
  return {.config = {}, .levels = {}, .end = end, .score = score};
}

TEST(BestJobs, AreThoseThatRanTheBestFirst) {
  const std::vector<Job> jobs{job(JobEnd::ran, 2.0), job(JobEnd::failed), job(JobEnd::ran, 5.0),
                              job(JobEnd::ran, 3.0)};
  EXPECT_THAT(best_jobs(jobs, 2), ElementsAre(2, 3));
  EXPECT_THAT(best_jobs(jobs, 9), ElementsAre(2, 3, 0));
}

TEST(LessonWithFailures, TakesFailuresForTheWorstThatRan) {
  const std::vector<Job> jobs{job(JobEnd::out_of_memory), job(JobEnd::ran, 8.0),
                              job(JobEnd::unknown), job(JobEnd::ran, 2.0), job(JobEnd::failed)};
  const Lesson lesson = lesson_with_failures(jobs);
  EXPECT_THAT(lesson.jobs, ElementsAre(0, 1, 3, 4));
  const auto worst = DoubleNear(std::log(2.0), 1e-15);
  EXPECT_THAT(lesson.targets, ElementsAre(worst, DoubleNear(std::log(8.0), 1e-15), worst, worst));
}

TEST(LessonWithFailures, IsEmptyWhereNothingRan) {
  EXPECT_TRUE(lesson_with_failures(std::vector<Job>{job(JobEnd::failed)}).jobs.empty());
}

}  // namespace
}  // namespace cubicbench::search
