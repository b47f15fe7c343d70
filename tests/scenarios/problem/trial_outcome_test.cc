#include "scenarios/problem/trial_outcome.h"

#include <gtest/gtest.h>

namespace cubicbench::scenarios {
namespace {

TEST(TrialOutcome, NamesAreTheContracts) {
  struct Case {
    Reason reason;
    const char* name;
  };
  for (const Case& c : {Case{Reason::none, ""}, Case{Reason::invalid, "invalid"},
                        Case{Reason::oom_init, "oom_init"}, Case{Reason::oom_late, "oom_late"},
                        Case{Reason::timeout, "timeout"}, Case{Reason::infra, "infra"},
                        Case{Reason::numeric, "numeric"}}) {
    EXPECT_EQ(name_of(c.reason), c.name);
    EXPECT_EQ(reason_of(c.name), c.reason);
  }
  EXPECT_EQ(name_of(TrialState::complete), "complete");
  EXPECT_EQ(name_of(TrialState::fail), "fail");
  EXPECT_EQ(name_of(TrialState::pruned), "pruned");
  EXPECT_EQ(trial_state_of("fail"), TrialState::fail);
  EXPECT_EQ(trial_state_of("failed"), std::nullopt);
  EXPECT_EQ(reason_of("oom"), std::nullopt);
}

TEST(TrialOutcome, MetricsAreFoundByName) {
  TrialOutcome outcome;
  outcome.metrics = {{"step_time_s", 2.5}, {"peak_bytes", 7.0}};
  EXPECT_EQ(metric_of(outcome, "peak_bytes"), 7.0);
  EXPECT_EQ(metric_of(outcome, "over_bytes"), std::nullopt);
}

}  // namespace
}  // namespace cubicbench::scenarios
