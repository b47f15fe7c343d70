#include "search/constrained_gp/told_jobs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace cubicbench::search {
namespace {

using scenarios::Reason;
using scenarios::TrialState;
using testing::DoubleNear;
using testing::ElementsAre;

Job ran(double score, std::optional<double> peak = {}, double hours = 1.0) {
  ToldTrial trial;
  trial.score = score;
  trial.peak_bytes = peak;
  trial.cost_gpu_hours = 8.0 * hours;
  return job_of(trial, {0}, 8.0);
}

Job failed(Reason reason, std::optional<double> over = {}, double hours = 1.0) {
  ToldTrial trial;
  trial.state = TrialState::fail;
  trial.reason = reason;
  trial.over_bytes = over;
  trial.cost_gpu_hours = 8.0 * hours;
  return job_of(trial, {0}, 8.0);
}

TEST(JobOf, TellsEndsApart) {
  EXPECT_EQ(ran(1.0).end, JobEnd::ran);
  EXPECT_EQ(ran(1.0).hours, 1.0);
  EXPECT_EQ(ran(std::numeric_limits<double>::infinity()).end, JobEnd::unknown);
  EXPECT_EQ(ran(std::numeric_limits<double>::quiet_NaN()).end, JobEnd::unknown);
  EXPECT_EQ(failed(Reason::oom_init).end, JobEnd::out_of_memory);
  EXPECT_EQ(failed(Reason::oom_late).end, JobEnd::out_of_memory);
  EXPECT_EQ(failed(Reason::timeout).end, JobEnd::too_slow);
  EXPECT_EQ(failed(Reason::numeric).end, JobEnd::failed);
  EXPECT_EQ(failed(Reason::none).end, JobEnd::failed);
  EXPECT_EQ(failed(Reason::infra).end, JobEnd::unknown);
  ToldTrial pruned;
  pruned.state = TrialState::pruned;
  EXPECT_EQ(job_of(pruned, {0}, 1.0).end, JobEnd::unknown);
}

TEST(ValueLesson, IsTheLogarithmWhereScoresHaveOneSign) {
  const double e = std::exp(1.0);
  const std::vector<Job> rates{ran(1.0), failed(Reason::oom_init), ran(e)};
  EXPECT_THAT(value_lesson(rates).targets, ElementsAre(0.0, DoubleNear(1.0, 1e-15)));
  const std::vector<Job> costs{ran(-1.0), ran(-e)};
  EXPECT_THAT(value_lesson(costs).targets, ElementsAre(0.0, DoubleNear(-1.0, 1e-15)));
  const std::vector<Job> both{ran(-2.0), ran(0.0), ran(3.0)};
  EXPECT_THAT(value_lesson(both).targets, ElementsAre(-2.0, 0.0, 3.0));
}

TEST(ValueLesson, CutsWhatIsFarBelow) {
  // The median of what ran is 1 below the best: nothing is more than 3 below.
  const std::vector<Job> jobs{ran(-90.0), ran(1.0), ran(2.0), ran(0.0), ran(1.0)};
  EXPECT_THAT(value_lesson(jobs, 3.0).targets, ElementsAre(-1.0, 1.0, 2.0, 0.0, 1.0));
  EXPECT_THAT(value_lesson(jobs, 0.0).targets, ElementsAre(-90.0, 1.0, 2.0, 0.0, 1.0));
}

TEST(MemoryLesson, IsTheLogarithmOfMemoryOverTheLargestPeakThatRan) {
  const std::vector<Job> jobs{ran(1.0, 20e9),           failed(Reason::oom_late, 40e9),
                              ran(1.0, 40e9),           failed(Reason::timeout),
                              failed(Reason::oom_init), ran(1.0)};
  EXPECT_TRUE(tells_bytes(jobs));
  EXPECT_THAT(memory_lesson(jobs).targets,
              ElementsAre(DoubleNear(-std::log(2.0), 1e-15),
                          DoubleNear(0.01 + std::log(2.0), 1e-15), 0.0, 0.01, -0.25));
}

TEST(MemoryLesson, MeasuresByTheLeastThatWasLackedWhereNothingRan) {
  const std::vector<Job> jobs{failed(Reason::oom_late, 30e9), failed(Reason::oom_late, 10e9)};
  EXPECT_THAT(memory_lesson(jobs).targets, ElementsAre(DoubleNear(0.01 + std::log(4.0), 1e-15),
                                                       DoubleNear(0.01 + std::log(2.0), 1e-15)));
  EXPECT_FALSE(tells_bytes(std::vector<Job>{ran(1.0), failed(Reason::oom_init)}));
}

TEST(TimeLesson, IsTheLogarithmOfHoursOverTheFewestThatWereTooMany) {
  const std::vector<Job> jobs{ran(1.0, {}, 1.0), failed(Reason::timeout, {}, 4.0),
                              failed(Reason::timeout, {}, 2.0), failed(Reason::oom_init),
                              ran(1.0, {}, 3.0)};
  EXPECT_THAT(time_lesson(jobs).targets,
              ElementsAre(DoubleNear(-std::log(2.0), 1e-15),
                          DoubleNear(0.01 + std::log(2.0), 1e-15), 0.01, -0.01));
  EXPECT_TRUE(time_lesson(std::vector<Job>{ran(1.0), failed(Reason::oom_init)}).jobs.empty());
  EXPECT_THAT(time_lesson(jobs).jobs, ElementsAre(0U, 1U, 2U, 4U));
}

TEST(FailureLesson, CountsWhatIsAskedFor) {
  const std::vector<Job> jobs{ran(1.0), failed(Reason::oom_init), failed(Reason::timeout),
                              failed(Reason::numeric), failed(Reason::infra)};
  EXPECT_THAT(failure_lesson(jobs, {}).targets, ElementsAre(-1.0, 1.0));
  EXPECT_THAT(failure_lesson(jobs, {.memory = true, .time = true}).targets,
              ElementsAre(-1.0, 1.0, 1.0, 1.0));
}

}  // namespace
}  // namespace cubicbench::search
