#include "search/study/telling.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "support/input_error.h"
#include "tests/search/fakes.h"

namespace cubicbench::search {
namespace {

using scenarios::Direction;
using scenarios::Reason;
using scenarios::TrialOutcome;
using scenarios::TrialState;

/// What is told of: a failure, 7, 5, out of memory by 1,000 bytes, 6, a broken node.
std::vector<std::optional<ToldTrial>> told_by(Telling telling, Direction direction) {
  Teller teller(telling, {.direction = direction});
  TrialOutcome memory = failed(Reason::oom_late);
  memory.metrics = {{"over_bytes", 1000.0}};
  std::vector<std::optional<ToldTrial>> told;
  std::int64_t trial = 0;
  for (const TrialOutcome& outcome : {failed(Reason::invalid), completed(7.0), completed(5.0),
                                      memory, completed(6.0), failed(Reason::infra)}) {
    told.push_back(teller.told(trial++, {0}, outcome));
  }
  return told;
}

TEST(Teller, TellsEveryCompleteTrialAsItIs) {
  for (const Direction direction : {Direction::maximize, Direction::minimize}) {
    const double sign = direction == Direction::maximize ? 1.0 : -1.0;
    for (std::size_t i = 0; i < telling_names().size(); ++i) {
      SCOPED_TRACE(telling_names()[i]);
      const auto told = told_by(static_cast<Telling>(i), direction);
      ASSERT_TRUE(told[1] && told[2] && told[4]);
      EXPECT_EQ(told[1]->score, sign * 7.0);
      EXPECT_EQ(told[2]->score, sign * 5.0);
      EXPECT_EQ(told[4]->score, sign * 6.0);
      EXPECT_EQ(told[1]->trial, 1);
      EXPECT_EQ(told[1]->cost_gpu_hours, 8.0);
      EXPECT_EQ(told[1]->reason, Reason::none);
    }
  }
}

TEST(Teller, DropTellsNothing) {
  const auto told = told_by(Telling::drop, Direction::maximize);
  EXPECT_FALSE(told[0] || told[3] || told[5]);
}

TEST(Teller, WorstTellsTheLowestScoreSoFar) {
  struct Case {
    Direction direction;
    double before_any, later;
  };
  // Minimised, the scores are -7, -5, -6: the lowest is -7, of the largest value.
  for (const Case& c :
       {Case{Direction::maximize, 0.0, 5.0}, {Direction::minimize, -7200.0, -7.0}}) {
    const auto told = told_by(Telling::worst, c.direction);
    ASSERT_TRUE(told[0] && told[3] && told[5]);
    EXPECT_EQ(told[0]->score, c.before_any);
    EXPECT_EQ(told[3]->score, c.later);
    EXPECT_EQ(told[5]->score, c.later);
    EXPECT_EQ(told[3]->state, TrialState::complete);
    EXPECT_EQ(told[3]->reason, Reason::none);
    EXPECT_FALSE(told[3]->over_bytes);
  }
}

TEST(Teller, PenaltyTellsAFixedScore) {
  for (const Direction direction : {Direction::maximize, Direction::minimize}) {
    const auto told = told_by(Telling::penalty, direction);
    for (const std::size_t i : {0U, 3U, 5U}) {
      ASSERT_TRUE(told[i]);
      EXPECT_EQ(told[i]->state, TrialState::complete);
      EXPECT_EQ(told[i]->score, direction == Direction::maximize ? 0.0 : -7200.0);
      EXPECT_EQ(told[i]->reason, Reason::none);
    }
  }
}

TEST(Teller, ReasonTellsWhyAndBytesHowMuch) {
  for (const Telling telling : {Telling::reason, Telling::bytes}) {
    const auto told = told_by(telling, Direction::maximize);
    ASSERT_TRUE(told[0] && told[3] && told[5]);
    EXPECT_EQ(told[0]->state, TrialState::fail);
    EXPECT_EQ(told[0]->reason, Reason::invalid);
    EXPECT_EQ(told[3]->reason, Reason::oom_late);
    EXPECT_EQ(told[5]->reason, Reason::infra);
    EXPECT_FALSE(told[3]->score);
    EXPECT_EQ(told[3]->over_bytes,
              telling == Telling::bytes ? std::optional<double>(1000.0) : std::nullopt);
    EXPECT_FALSE(told[5]->over_bytes);
  }
}

TEST(Teller, TellsThePeakOfWhatRanWithBytesOnly) {
  TrialOutcome ran = completed(7.0);
  ran.metrics = {{"peak_bytes", 6e10}};
  TrialOutcome memory = failed(Reason::oom_init);
  memory.metrics = {{"over_bytes", 1000.0}, {"peak_bytes", 9e10}};
  for (std::size_t i = 0; i < telling_names().size(); ++i) {
    SCOPED_TRACE(telling_names()[i]);
    const auto telling = static_cast<Telling>(i);
    Teller teller(telling, {});
    const bool bytes = telling == Telling::bytes;
    EXPECT_EQ(teller.told(0, {0}, ran)->peak_bytes,
              bytes ? std::optional<double>(6e10) : std::nullopt);
    EXPECT_FALSE(teller.told(1, {0}, completed(5.0))->peak_bytes);  // the backend does not say
    const auto told = teller.told(2, {0}, memory);
    if (told) {
      EXPECT_FALSE(told->peak_bytes);
    }
  }
}

TEST(Telling, HasNames) {
  for (std::size_t i = 0; i < telling_names().size(); ++i) {
    const Telling telling = parse_telling(telling_names()[i], "--telling");
    EXPECT_EQ(static_cast<std::size_t>(telling), i);
    EXPECT_EQ(name_of(telling), telling_names()[i]);
  }
  try {
    parse_telling("all", "--telling");
    ADD_FAILURE() << "no error";
  } catch (const support::InputError& error) {
    EXPECT_STREQ(error.what(),
                 "--telling: expected one of drop, worst, penalty, reason, bytes, got \"all\"");
  }
}

}  // namespace
}  // namespace cubicbench::search
