#include "search/forest/job_forests.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "sim/base/numeric.h"

namespace cubicbench::search {
namespace {

constexpr double lowest = -std::numeric_limits<double>::infinity();

Job job(std::uint8_t level, JobEnd end, double score = 0.0) {
  return {.config = {level}, .levels = {level}, .end = end, .score = score};
}

JobForests forests_of(const std::vector<Job>& jobs, bool memory = true) {
  const std::vector<predictor::LevelColumn> columns{{.levels = 20}};
  return JobForests(columns, jobs, {.growth = {.trees = 40}, .memory = memory});
}

TEST(JobForests, KnowNothingOfJobsThatAreAlike) {
  EXPECT_FALSE(forests_of({}).informed());
  EXPECT_FALSE(forests_of({job(1, JobEnd::ran, 2.0), job(2, JobEnd::ran, 2.0)}).informed());
  EXPECT_FALSE(forests_of({job(1, JobEnd::unknown), job(2, JobEnd::ran, 1.0)}).informed());
  EXPECT_TRUE(forests_of({job(1, JobEnd::failed), job(2, JobEnd::ran, 1.0)}).informed());
}

TEST(JobForests, HopeForMoreBesideTheBestThanBesideTheWorst) {
  std::vector<Job> jobs;
  for (std::uint8_t level = 0; level < 20; level += 2) {
    jobs.push_back(job(level, JobEnd::ran, 1.0 + level));
  }
  const JobForests forests = forests_of(jobs);
  EXPECT_GT(forests.worth(predictor::Levels{17}, lowest),
            forests.worth(predictor::Levels{3}, lowest));
  EXPECT_EQ(forests.chance(predictor::Levels{3}), 1.0);
}

TEST(JobForests, NeedNotLookAtWhatIsBelowABound) {
  std::vector<Job> jobs;
  for (std::uint8_t level = 0; level < 20; ++level) {
    jobs.push_back(job(level, JobEnd::ran, 1.0 + level));
  }
  const JobForests forests = forests_of(jobs);
  for (std::uint8_t level = 0; level < 20; ++level) {
    const predictor::Levels at{level};
    const double worth = forests.worth(at, lowest);
    EXPECT_LE(forests.worth(at, worth), worth * (1.0 + 1e-9) + 1e-300);
    EXPECT_EQ(forests.worth(at, 0.5 * worth - 1e-300), worth);
  }
}

TEST(JobForests, ExpectFailuresWhereTheyWere) {
  std::vector<Job> jobs;
  for (std::uint8_t level = 0; level < 20; ++level) {
    jobs.push_back(level < 10 ? job(level, JobEnd::ran, 3.0) : job(level, JobEnd::failed));
  }
  const JobForests forests = forests_of(jobs);
  EXPECT_GT(forests.chance(predictor::Levels{2}), 0.95);
  EXPECT_LT(forests.chance(predictor::Levels{17}), 0.05);
  // Without scores that differ what counts is the chance.
  EXPECT_EQ(forests.worth(predictor::Levels{2}, lowest), forests.chance(predictor::Levels{2}));
}

TEST(JobForests, TakeMemoryAsANumberWhereBytesAreTold) {
  // Memory doubles with every level; the limit is 16, so level 5 lacks 16.
  std::vector<Job> jobs;
  for (std::uint8_t level = 0; level < 8; ++level) {
    const double bytes = sim::exp2(level);
    Job one = job(level, bytes <= 16.0 ? JobEnd::ran : JobEnd::out_of_memory, 1.0);
    (one.end == JobEnd::ran ? one.peak_bytes : one.over_bytes) =
        one.end == JobEnd::ran ? bytes : bytes - 16.0;
    jobs.push_back(one);
  }
  const JobForests by_bytes = forests_of(jobs);
  EXPECT_GT(by_bytes.chance(predictor::Levels{1}), 0.95);
  EXPECT_LT(by_bytes.chance(predictor::Levels{7}), 0.05);
  EXPECT_TRUE(forests_of(jobs, false).informed());
}

}  // namespace
}  // namespace cubicbench::search
