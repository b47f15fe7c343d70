#include "search/tpe/tpe_trials.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/search/driven_searcher.h"

namespace cubicbench::search {
namespace {

ToldTrial ran(std::int64_t trial, double score) {
  ToldTrial outcome = told(trial, {trial});
  outcome.score = score;
  return outcome;
}

ToldTrial failed(std::int64_t trial, std::optional<double> over,
                 scenarios::Reason reason = scenarios::Reason::oom_init) {
  ToldTrial outcome = told(trial, {trial});
  outcome.state = scenarios::TrialState::fail;
  outcome.reason = reason;
  outcome.over_bytes = over;
  return outcome;
}

TEST(GoodTrials, AreATenthAndAtMostTwentyFive) {
  EXPECT_EQ(good_trials(1), 1U);
  EXPECT_EQ(good_trials(10), 1U);
  EXPECT_EQ(good_trials(11), 2U);
  EXPECT_EQ(good_trials(250), 25U);
  EXPECT_EQ(good_trials(1'000), 25U);
}

TEST(TpeTrials, StandInTheOrderOfTheirNumbers) {
  TpeTrials trials;
  for (const std::int64_t number : {3, 0, 2}) trials.add(ran(number, 1.0));
  ASSERT_EQ(trials.size(), 3U);
  EXPECT_EQ(trials.config(0).front(), 0);
  EXPECT_EQ(trials.config(2).front(), 3);
}

TEST(TpeTrials, PassOverWhatSaysNothing) {
  TpeTrials trials;
  trials.add(failed(0, {}, scenarios::Reason::infra));
  trials.add(told(1, {1}));  // complete, without a score
  EXPECT_EQ(trials.size(), 0U);
}

TEST(TpeTrials, AreAllAlikeUntilOneIsBetter) {
  TpeTrials trials;
  EXPECT_FALSE(trials.informed());
  trials.add(failed(0, 5.0));
  trials.add(failed(1, 5.0));
  EXPECT_FALSE(trials.informed());
  trials.add(failed(2, 4.0));
  EXPECT_TRUE(trials.informed());
}

TEST(TpeTrials, CountAsGoodByScoreThenByWhatTheyLacked) {
  // Of eleven two are good: the one that ran, then the failure that lacked least.
  TpeTrials trials;
  trials.add(failed(0, {}));
  trials.add(failed(1, 3.0));
  trials.add(failed(2, 2.0));
  trials.add(failed(3, 2.0));
  trials.add(ran(4, -7.0));
  for (std::int64_t i = 5; i < 11; ++i) trials.add(failed(i, 9.0));
  const std::vector<bool> good = trials.good();
  EXPECT_TRUE(good[4]);
  EXPECT_TRUE(good[2]);  // of equals the earlier
  EXPECT_EQ(std::ranges::count(good, true), 2);
}

}  // namespace
}  // namespace cubicbench::search
