#include "datasets/jobs/split.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "sim/base/philox.h"
#include "support/input_error.h"
#include "tests/golden_files.h"

namespace cubicbench::datasets {
namespace {

using Positions = std::vector<std::size_t>;

Positions all_of(const Dataset& data) {
  Positions jobs(data.jobs.size());
  std::iota(jobs.begin(), jobs.end(), std::size_t{0});
  return jobs;
}

Split split_all(const Dataset& data, SplitKind kind, std::int64_t train, std::uint64_t repeat) {
  return split_of(data, all_of(data), kind, train, repeat, "--split");
}

std::string message_of(const Dataset& data, SplitKind kind) {
  try {
    split_all(data, kind, 2, 0);
  } catch (const support::InputError& error) {
    return error.what();
  }
  return "no problem";
}

/// `count` jobs with nothing in common.
Dataset different_jobs(std::size_t count) {
  Dataset data;
  for (std::size_t i = 0; i < count; ++i) {
    Job job;
    job.workload = "w" + std::to_string(i % 3);
    job.cluster = "c" + std::to_string(i % 2);
    job.searcher = "s" + std::to_string(i % 4);
    job.gpus = 8LL << (i % 5);
    job.when = static_cast<std::int64_t>(i);
    job.configuration = i;
    data.jobs.push_back(job);
  }
  return data;
}

/// Jobs drawn at random: few values each, many repeats.
Dataset random_jobs(std::uint64_t seed) {
  std::uint32_t next = 0;
  const auto below = [&](std::uint64_t n) {
    return sim::uniform_below({.seed = seed, .purpose = sim::Purpose::test, .draw = next++}, n);
  };
  Dataset data;
  const std::uint64_t count = 10 + below(60);
  for (std::uint64_t i = 0; i < count; ++i) {
    Job job;
    job.configuration = below(count);
    job.workload = "w" + std::to_string(below(3));
    job.cluster = "c" + std::to_string(below(3));
    job.searcher = "s" + std::to_string(below(3));
    job.gpus = 8LL << below(4);
    job.when = static_cast<std::int64_t>(below(6));
    data.jobs.push_back(job);
  }
  return data;
}

std::set<std::uint64_t> configurations(const Dataset& data, const Positions& jobs) {
  std::set<std::uint64_t> all;
  for (const std::size_t job : jobs) all.insert(data.jobs[job].configuration);
  return all;
}

TEST(Split, NamesItsKinds) {
  EXPECT_EQ(std::ssize(split_names()), 6);
  EXPECT_EQ(name_of(SplitKind::random), "random");
  EXPECT_EQ(name_of(SplitKind::searcher), "searcher");
  EXPECT_EQ(split_names()[static_cast<std::size_t>(SplitKind::scale)], "scale");
}

TEST(Split, RandomDrawsAsManyAsAskedAndTestsTheRest) {
  const Dataset data = different_jobs(20);
  const Split split = split_all(data, SplitKind::random, 7, 3);
  EXPECT_EQ(split.train.size(), 7U);
  EXPECT_EQ(split.test.size(), 13U);
  EXPECT_TRUE(std::ranges::is_sorted(split.train));
  EXPECT_TRUE(std::ranges::is_sorted(split.test));
  Positions both = split.train;
  both.insert(both.end(), split.test.begin(), split.test.end());
  std::ranges::sort(both);
  EXPECT_EQ(both, all_of(data));
}

TEST(Split, RandomLeavesATenthToTest) {
  EXPECT_EQ(split_all(different_jobs(20), SplitKind::random, 1000, 0).test.size(), 2U);
  EXPECT_EQ(split_all(different_jobs(21), SplitKind::random, 21, 0).test.size(), 3U);
  EXPECT_EQ(split_all(different_jobs(2), SplitKind::random, 5, 0).train.size(), 1U);
}

TEST(Split, EveryJobIsDrawnEquallyOften) {
  // 4,000 draws of 5 from 20: each is drawn with probability 1/4, so 1,000 times, with a standard
  // deviation of sqrt(4000 x 1/4 x 3/4) = 27.
  const Dataset data = different_jobs(20);
  std::vector<int> count(20);
  for (std::uint64_t repeat = 0; repeat < 4000; ++repeat) {
    for (const std::size_t job : split_all(data, SplitKind::random, 5, repeat).train) ++count[job];
  }
  for (const int drawn : count) EXPECT_NEAR(drawn, 1000, 5 * 27);
}

TEST(Split, LargerTrainingPartsHoldTheSmaller) {
  const Dataset data = different_jobs(40);
  const Split small = split_all(data, SplitKind::random, 5, 9);
  const Split large = split_all(data, SplitKind::random, 20, 9);
  EXPECT_TRUE(std::ranges::includes(large.train, small.train));
}

TEST(Split, RepeatsStayTogether) {
  Dataset data = different_jobs(6);
  data.jobs[3].configuration = data.jobs[0].configuration;
  data.jobs[5].configuration = data.jobs[0].configuration;
  for (std::uint64_t repeat = 0; repeat < 50; ++repeat) {
    const Split split = split_all(data, SplitKind::random, 2, repeat);
    // The three repeats do not fit into two, and two of the three others do.
    EXPECT_EQ(split.train.size(), 2U);
    EXPECT_TRUE(std::ranges::includes(split.test, Positions{0, 3, 5}));
  }
}

TEST(Split, TakesAllRepeatsOfOneConfigurationWhereNothingSmallerIsThere) {
  Dataset data = different_jobs(6);
  for (std::size_t i = 0; i < 6; ++i) data.jobs[i].configuration = i % 2;
  const Split split = split_all(data, SplitKind::random, 1, 0);
  EXPECT_EQ(split.train.size(), 3U);
  EXPECT_EQ(split.test.size(), 3U);
}

TEST(Split, TimeTestsTheLaterThird) {
  const Dataset data = different_jobs(9);
  const Split split = split_all(data, SplitKind::time, 100, 0);
  EXPECT_EQ(split.train, (Positions{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(split.test, (Positions{6, 7, 8}));
}

TEST(Split, TimeNeverCutsADay) {
  Dataset data = different_jobs(9);
  const std::vector<std::int64_t> days{1, 1, 1, 2, 2, 2, 2, 2, 3};
  for (std::size_t i = 0; i < 9; ++i) data.jobs[i].when = days[i];
  // Six of nine are wanted before the cut; day 2 ends after eight and day 1 after three.
  EXPECT_EQ(split_all(data, SplitKind::time, 100, 0).test, (Positions{8}));
}

TEST(Split, ScaleCutsWhereBothSidesAreNearest) {
  Dataset data = different_jobs(10);
  const std::vector<std::int64_t> gpus{512, 8, 8, 16, 16, 64, 64, 64, 512, 128};
  for (std::size_t i = 0; i < 10; ++i) data.jobs[i].gpus = gpus[i];
  // 2, 4, 7 and 9 jobs stand at or below 8, 16, 64 and 128: four of ten is nearest to a half.
  const Split split = split_all(data, SplitKind::scale, 100, 0);
  EXPECT_EQ(split.train, (Positions{1, 2, 3, 4}));
  EXPECT_EQ(split.test, (Positions{0, 5, 6, 7, 8, 9}));
}

TEST(Split, OfTwoCutsEquallyNearTheLowerIsTaken) {
  Dataset data = different_jobs(4);
  for (std::size_t i = 0; i < 4; ++i) data.jobs[i].gpus = i == 0 ? 8 : i == 3 ? 32 : 16;
  // One job stands at or below 8 and three at or below 16: either is one from a half.
  const Split split = split_all(data, SplitKind::scale, 100, 0);
  EXPECT_EQ(split.train, (Positions{0}));
  EXPECT_EQ(split.test, (Positions{1, 2, 3}));
}

TEST(Split, LeavesOneOutAfterTheOther) {
  const Dataset data = different_jobs(12);
  for (std::uint64_t repeat = 0; repeat < 7; ++repeat) {
    const Split split = split_all(data, SplitKind::workload, 100, repeat);
    EXPECT_EQ(split.train.size(), 8U);
    for (const std::size_t job : split.test) EXPECT_EQ(job % 3, repeat % 3);
    EXPECT_EQ(split.test.size(), 4U);
    EXPECT_EQ(split_all(data, SplitKind::cluster, 100, repeat).test.front(), repeat % 2);
    EXPECT_EQ(split_all(data, SplitKind::searcher, 2, repeat).test.size(), 3U);
    EXPECT_EQ(split_all(data, SplitKind::searcher, 2, repeat).train.size(), 2U);
  }
}

TEST(Split, LeavesOutOfTheTrainingSideWhatIsTested) {
  Dataset data = different_jobs(9);
  data.jobs[1].configuration = data.jobs[8].configuration;
  const Split split = split_all(data, SplitKind::time, 100, 0);
  EXPECT_EQ(split.train, (Positions{0, 2, 3, 4, 5}));
  EXPECT_EQ(split.test, (Positions{6, 7, 8}));
  EXPECT_EQ(split.learnable, 5U);
  EXPECT_EQ(split_all(data, SplitKind::time, 2, 0).learnable, 5U);
}

TEST(Split, RefusesWhatCannotBeSplit) {
  Dataset data = different_jobs(4);
  for (Job& job : data.jobs) {
    job.workload = "gpt";
    job.cluster = job.searcher = "";
    job.gpus = 8;
    job.when = 0;
    job.configuration = 1;
  }
  EXPECT_EQ(message_of(data, SplitKind::random),
            "--split: expected jobs of at least two configurations, got one");
  EXPECT_EQ(message_of(different_jobs(0), SplitKind::random),
            "--split: expected jobs with a time, got none");
  EXPECT_EQ(message_of(different_jobs(0), SplitKind::cluster),
            "--split: expected jobs with a time, got none");
  EXPECT_EQ(message_of(data, SplitKind::time),
            "--split: expected jobs of at least two days, got one");
  EXPECT_EQ(message_of(data, SplitKind::scale),
            "--split: expected jobs of at least two GPU counts, got one");
  EXPECT_EQ(message_of(data, SplitKind::workload),
            "--split: expected jobs of at least two workloads, got one, \"gpt\"");
  EXPECT_EQ(message_of(data, SplitKind::searcher),
            "--split: expected jobs of at least two searchers, got one, \"\"");
  data.jobs[3].when = 1;
  EXPECT_EQ(
      message_of(data, SplitKind::time),
      "--split: expected jobs to learn from whose configuration is not tested, got 3 that are "
      "all repeats");
}

TEST(Split, KeepsItsLawsOnRandomTables) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    const Dataset data = random_jobs(seed);
    for (int kind = 0; kind < 6; ++kind) {
      SCOPED_TRACE(kind);
      const auto split_kind = static_cast<SplitKind>(kind);
      Split split;
      try {
        split = split_all(data, split_kind, 8, seed);
      } catch (const support::InputError&) {
        continue;  // some tables have one value only
      }
      EXPECT_FALSE(split.train.empty());
      EXPECT_FALSE(split.test.empty());
      const std::set<std::uint64_t> train = configurations(data, split.train);
      for (const std::uint64_t tested : configurations(data, split.test)) {
        EXPECT_FALSE(train.contains(tested));
      }
      const Split again = split_all(data, split_kind, 8, seed);
      EXPECT_EQ(again.train, split.train);
      EXPECT_EQ(again.test, split.test);
    }
  }
}

std::string positions_text(const Positions& positions) {
  std::string text;
  for (const std::size_t position : positions) text += " " + std::to_string(position);
  return text;
}

TEST(Split, OfEveryKindIsThatOfTheGolden) {
  const Dataset data = random_jobs(5);
  std::string golden = std::to_string(data.jobs.size()) + " jobs\n";
  for (std::size_t kind = 0; kind < split_names().size(); ++kind) {
    for (std::uint64_t repeat = 0; repeat < 4; ++repeat) {
      const Split split = split_all(data, static_cast<SplitKind>(kind), 9, repeat);
      golden += std::string(split_names()[kind]) + ", repeat " + std::to_string(repeat) + ": of " +
                std::to_string(split.learnable) + positions_text(split.train) + ", tested" +
                positions_text(split.test) + "\n";
    }
  }
  expect_golden("splits.txt", golden);
}

}  // namespace
}  // namespace cubicbench::datasets
