#include "datasets/logs/steady_step.h"

#include <gtest/gtest.h>

#include <vector>

namespace cubicbench::datasets {
namespace {

/// Records in lines 10, 20, .. of these step times.
LoggedRun run_of(const std::vector<double>& seconds) {
  LoggedRun run;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    LoggedStep step{.line = 10 * (i + 1), .number = static_cast<std::int64_t>(i)};
    step.seconds = seconds[i];
    run.steps.push_back(step);
  }
  return run;
}

TEST(SteadyStep, IsTheMedianWithoutWarmUp) {
  struct Case {
    const char* name;
    std::vector<double> seconds;
    double expected;
    std::size_t warm_up;
  };
  for (const Case& c : {Case{"one record is all there is", {4.0}, 4.0, 0},
                        Case{"the first is left out", {9.0, 2.0}, 2.0, 1},
                        Case{"MaxText's second step returns early", {30.0, 0.2, 3.0}, 3.0, 2},
                        Case{"slow ones after it too", {9.0, 5.0, 2.0, 2.0, 2.0, 2.1}, 2.0, 2},
                        Case{"at most half", {9.0, 8.0, 7.0, 6.0}, 6.5, 2},
                        Case{"an even number: halfway", {9.0, 2.0, 2.1}, 2.05, 1},
                        Case{"one slow step in between", {9.0, 2.0, 2.0, 7.0, 2.0}, 2.0, 1}}) {
    SCOPED_TRACE(c.name);
    const SteadyStep steady = steady_step(run_of(c.seconds));
    ASSERT_TRUE(steady.seconds);
    EXPECT_DOUBLE_EQ(*steady.seconds, c.expected);
    EXPECT_EQ(steady.warm_up, c.warm_up);
  }
}

TEST(SteadyStep, SaysNothingOfNothing) {
  EXPECT_FALSE(steady_step(LoggedRun{}).seconds);
  EXPECT_EQ(steady_step(LoggedRun{}).used, 0U);
}

TEST(SteadyStep, TakesAStepOnceThatSeveralRanksPrint) {
  LoggedRun run = run_of({9.0, 2.0, 3.0, 2.0});
  run.steps[2].number = run.steps[1].number;
  const SteadyStep steady = steady_step(run);
  EXPECT_EQ(steady.doubled, 1U);
  EXPECT_EQ(steady.seconds, 2.0);
}

TEST(SteadyStep, LeavesOutARamp) {
  LoggedRun run = run_of({1.0, 1.0, 2.0, 2.0, 2.0, 2.0});
  for (std::size_t i = 0; i < run.steps.size(); ++i) run.steps[i].batch = i < 2 ? 64.0 : 128.0;
  const SteadyStep steady = steady_step(run);
  EXPECT_EQ(steady.ramp, 2U);
  EXPECT_EQ(steady.seconds, 2.0);
  EXPECT_EQ(steady.batch, 128.0);
}

/// An evaluation in line 35 is in the time of the record of line 40.
TEST(SteadyStep, LeavesOutWhatFollowsAPause) {
  LoggedRun run = run_of({9.0, 2.0, 2.0, 2.6, 2.0, 2.2});
  run.pauses = {35};
  const SteadyStep steady = steady_step(run);
  EXPECT_EQ(steady.paused, 1U);
  EXPECT_EQ(steady.seconds, 2.0);
}

TEST(SteadyStep, KeepsThemWhereEveryRecordFollowsAPause) {
  LoggedRun run = run_of({2.0, 2.0, 2.0});
  run.pauses = {15, 25};
  EXPECT_EQ(steady_step(run).paused, 0U);
  EXPECT_EQ(steady_step(run).used, 2U);
}

/// Time x rate is the work of a step: 200, 200, 200, and 460 where a digit of the time was lost.
TEST(SteadyStep, NamesARecordThatContradictsItself) {
  LoggedRun run = run_of({2.0, 2.0, 2.0, 4.6, 2.0});
  for (LoggedStep& step : run.steps) step.rates = {{.name = "TFLOP/s", .value = 100.0}};
  const SteadyStep steady = steady_step(run);
  ASSERT_EQ(steady.named.size(), 1U);
  EXPECT_EQ(steady.named.front().line, 40U);
  EXPECT_EQ(steady.contradictory, 1U);
  EXPECT_EQ(steady.seconds, 2.0);
}

/// Packed sequences: no step has the work of another.
TEST(SteadyStep, LetsWorkVary) {
  LoggedRun run = run_of({2.0, 2.1, 2.2, 2.0, 1.9});
  double rate = 50.0;
  for (LoggedStep& step : run.steps) step.rates = {{.name = "TFLOP/s", .value = rate += 17.0}};
  EXPECT_EQ(steady_step(run).contradictory, 0U);
  EXPECT_TRUE(steady_step(run).named.empty());
}

TEST(SteadyStep, NamesWhatIsTwiceAsFast) {
  const SteadyStep steady = steady_step(run_of({9.0, 2.0, 2.0, 0.02, 2.0, 2.0}));
  EXPECT_EQ(steady.too_fast, 1U);
  ASSERT_EQ(steady.named.size(), 1U);
  EXPECT_EQ(steady.named.front().line, 40U);
  EXPECT_EQ(steady.seconds, 2.0);
}

TEST(SteadyStep, TakesTheFasterOfTwoThatDisagree) {
  const SteadyStep steady = steady_step(run_of({3.0, 2.0, 3.5}));
  EXPECT_EQ(steady.seconds, 2.0);
  EXPECT_EQ(steady.too_slow, 1U);
  EXPECT_EQ(steady.named.size(), 1U);
}

}  // namespace
}  // namespace cubicbench::datasets
