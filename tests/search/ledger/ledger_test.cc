#include "search/ledger/ledger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "search/journal/journal.h"
#include "support/input_error.h"
#include "tests/search/fakes.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;
using scenarios::Reason;
using scenarios::TrialState;
using testing::HasSubstr;

/// A ledger over the eight values, with what it needs.
struct LedgerOfEight {
  explicit LedgerOfEight(Outcomes outcomes, std::int64_t trials = 10, std::int64_t slots = 1,
                         Telling telling = Telling::reason)
      : backend(std::move(outcomes)),
        spec{.scenario = "eight",
             .searcher = {.text = "list", .name = "list", .options = {}},
             .telling = telling,
             .trials = trials,
             .slots = slots} {}

  std::filesystem::path journal() const { return folder / "eight.jsonl"; }
  std::vector<JournalLine> lines() const { return read_journal(journal()).lines; }
  JournalHeader header() const { return journal_header(spec, scenario.sha256, ""); }

  TemporaryFolder folder;
  scenarios::Scenario scenario = scenario_of_eight();
  ScriptedBackend backend;
  StudySpec spec;
};

std::string refusal(const std::function<void()>& ask) {
  try {
    ask();
  } catch (const Refused& refused) {
    return refused.what();
  }
  return "";
}

TEST(Ledger, ChargesBeforeALaunchStarts) {
  LedgerOfEight eight([](const Launch&) { return completed(1.0); }, 2, 2);
  StudyLog log({eight.journal()}, eight.header(), false);
  Ledger ledger(eight.scenario, eight.spec, eight.backend, log);
  EXPECT_EQ(ledger.balance().launches_left, 2);
  ledger.launch({3});
  EXPECT_EQ(ledger.balance().launches, 1);
  EXPECT_EQ(ledger.balance().launches_left, 1);
  EXPECT_EQ(ledger.balance().gpu_hours, 0.0);  // it has not ended
  ASSERT_TRUE(ledger.next_end());
  EXPECT_EQ(ledger.balance().gpu_hours, 8.0);
}

TEST(Ledger, AFailureToStartIsPaidToo) {
  class Broken final : public Backend {
    void start(Launch) override { throw support::OutputError("no cluster"); }
    Finished wait() override { return {}; }
  };
  LedgerOfEight eight([](const Launch&) { return completed(1.0); });
  StudyLog log({eight.journal()}, eight.header(), false);
  Broken broken;
  Ledger ledger(eight.scenario, eight.spec, broken, log);
  EXPECT_THROW(ledger.launch({0}), support::OutputError);
  EXPECT_EQ(ledger.balance().launches, 1);
}

TEST(Ledger, RecordsBeforeItTells) {
  LedgerOfEight eight([](const Launch&) { return completed(7.0); });
  StudyLog log({eight.journal()}, eight.header(), false);
  Ledger ledger(eight.scenario, eight.spec, eight.backend, log);
  for (std::int64_t trial = 0; trial < 3; ++trial) {
    const auto ended = ledger.evaluate({trial});
    ASSERT_TRUE(ended && ended->told);
    EXPECT_EQ(ended->trial, trial);
    EXPECT_EQ(ended->told->score, 7.0);
    EXPECT_EQ(std::ssize(eight.lines()), trial + 1);
  }
}

TEST(Ledger, RefusesWhatIsBeyondTheBudget) {
  LedgerOfEight eight([](const Launch&) { return completed(1.0); }, 2);
  StudyLog log({eight.journal()}, eight.header(), false);
  Ledger ledger(eight.scenario, eight.spec, eight.backend, log);
  ledger.evaluate({0});
  ledger.evaluate({1});
  for (int again = 0; again < 3; ++again) {
    EXPECT_EQ(refusal([&] { ledger.evaluate({2}); }), "The budget of 2 launches is spent.");
  }
  EXPECT_EQ(eight.backend.started.size(), 2U);
  EXPECT_EQ(eight.lines().size(), 2U);
  EXPECT_EQ(ledger.balance().launches_left, 0);
}

TEST(Ledger, CountsRetriesAndRepeatsApart) {
  // Configuration 1 is broken by the infrastructure twice and runs then: three launches, one trial.
  LedgerOfEight eight([](const Launch& launch) {
    return launch.config == Configuration{1} && launch.attempt < 2 ? failed(Reason::infra)
                                                                   : completed(1.0);
  });
  StudyLog log({eight.journal()}, eight.header(), false);
  Ledger ledger(eight.scenario, eight.spec, eight.backend, log);
  const auto retried = ledger.evaluate({1});
  ASSERT_TRUE(retried && retried->told);
  EXPECT_EQ(retried->told->state, TrialState::complete);
  EXPECT_EQ(retried->told->cost_gpu_hours, 8.0);  // of the last launch
  ledger.evaluate({1});                           // measures it again
  ledger.evaluate({2});
  const Balance balance = ledger.balance();
  EXPECT_EQ(balance.launches, 5);
  EXPECT_EQ(balance.launches_left, 5);
  EXPECT_EQ(balance.trials, 3);
  EXPECT_EQ(balance.retries, 2);
  EXPECT_EQ(balance.repeats, 1);
  EXPECT_EQ(balance.gpu_hours, 40.0);
}

TEST(Ledger, ARetryThatTheBudgetDoesNotPayIsTold) {
  LedgerOfEight eight([](const Launch&) { return failed(Reason::infra); }, 2);
  StudyLog log({eight.journal()}, eight.header(), false);
  Ledger ledger(eight.scenario, eight.spec, eight.backend, log);
  const auto ended = ledger.evaluate({0});
  ASSERT_TRUE(ended && ended->told);
  EXPECT_EQ(ended->told->reason, Reason::infra);
  EXPECT_EQ(ledger.balance().launches, 2);
}

TEST(Ledger, HoldsNoMoreLaunchesThanSlots) {
  LedgerOfEight eight([](const Launch&) { return completed(1.0); }, 10, 2);
  StudyLog log({eight.journal()}, eight.header(), false);
  Ledger ledger(eight.scenario, eight.spec, eight.backend, log);
  EXPECT_EQ(ledger.launch({0}), 0);
  EXPECT_EQ(ledger.launch({1}), 1);
  EXPECT_EQ(refusal([&] { ledger.launch({2}); }), "All 2 slots are in use.");
  EXPECT_THAT(refusal([&] { ledger.evaluate({2}); }), HasSubstr("still running"));
  EXPECT_THAT(refusal([&] { ledger.close(); }), HasSubstr("still running"));
  ASSERT_TRUE(ledger.next_end());
  EXPECT_EQ(ledger.launch({2}), 2);
  EXPECT_EQ(ledger.balance().launches, 3);
}

TEST(Ledger, SaysNothingOfAFailureThatIsDropped) {
  LedgerOfEight eight([](const Launch&) { return failed(Reason::oom_late); }, 10, 1, Telling::drop);
  StudyLog log({eight.journal()}, eight.header(), false);
  Ledger ledger(eight.scenario, eight.spec, eight.backend, log);
  const auto ended = ledger.evaluate({0});
  ASSERT_TRUE(ended);
  EXPECT_FALSE(ended->told);
  EXPECT_EQ(ledger.balance().launches, 1);
}

TEST(Ledger, TellsATimeoutAsAFailureWithoutAScore) {
  LedgerOfEight eight([](const Launch&) { return failed(Reason::timeout, 600.0); });
  StudyLog log({eight.journal()}, eight.header(), false);
  Ledger ledger(eight.scenario, eight.spec, eight.backend, log);
  const auto ended = ledger.evaluate({0});
  ASSERT_TRUE(ended && ended->told);
  EXPECT_EQ(ended->told->state, TrialState::fail);
  EXPECT_EQ(ended->told->reason, Reason::timeout);
  EXPECT_FALSE(ended->told->score);
  EXPECT_FALSE(ledger.summary().best);
}

TEST(Ledger, ClosesWithWhatWasLaunched) {
  LedgerOfEight eight([](const Launch&) { return completed(1.0); });
  StudyLog log({eight.journal()}, eight.header(), false);
  Ledger ledger(eight.scenario, eight.spec, eight.backend, log);
  ledger.evaluate({0});
  EXPECT_THAT(refusal([&] { ledger.close(Configuration{5}); }), HasSubstr("never launched"));
  EXPECT_FALSE(ledger.is_closed());
  ledger.close(Configuration{0});
  EXPECT_TRUE(ledger.is_closed());
  EXPECT_EQ(refusal([&] { ledger.evaluate({1}); }), "The study is closed.");
  EXPECT_EQ(refusal([&] { ledger.close(Configuration{0}); }), "The study is closed.");
  EXPECT_EQ(ledger.balance().launches_left, 0);
  EXPECT_EQ(read_journal(eight.journal()).recommended, (ConfigText{{"micro_batch", "1"}}));
}

TEST(Ledger, ClosesWithNothingThatNeverRan) {
  LedgerOfEight eight([](const Launch& launch) {
    return launch.config == Configuration{1} ? failed(Reason::oom_late) : completed(1.0);
  });
  StudyLog log({eight.journal()}, eight.header(), false);
  Ledger ledger(eight.scenario, eight.spec, eight.backend, log);
  ledger.evaluate({0});
  ledger.evaluate({1});
  EXPECT_THAT(refusal([&] { ledger.close(Configuration{1}); }), HasSubstr("launches failed"));
  ledger.close();
  EXPECT_FALSE(read_journal(eight.journal()).recommended);
}

TEST(Ledger, ResumingRefundsNothing) {
  LedgerOfEight eight([](const Launch&) { return completed(1.0); }, 3);
  {
    StudyLog log({eight.journal()}, eight.header(), false);
    Ledger ledger(eight.scenario, eight.spec, eight.backend, log);
    ledger.evaluate({0});
    ledger.evaluate({1});
  }
  ScriptedBackend backend([](const Launch&) { return completed(1.0); });
  StudyLog log({eight.journal()}, eight.header(), false);
  Ledger ledger(eight.scenario, eight.spec, backend, log);
  ledger.evaluate({0});
  ledger.evaluate({1});
  EXPECT_EQ(ledger.balance().launches_left, 1);
  ledger.evaluate({2});
  EXPECT_THAT(refusal([&] { ledger.evaluate({3}); }), HasSubstr("is spent"));
  EXPECT_EQ(eight.lines().size(), 3U);
}

TEST(Ledger, AResumedStudyCannotTakeALaunchBack) {
  LedgerOfEight eight([](const Launch&) { return completed(1.0); }, 3);
  {
    StudyLog log({eight.journal()}, eight.header(), false);
    Ledger ledger(eight.scenario, eight.spec, eight.backend, log);
    ledger.evaluate({0});
    ledger.evaluate({1});
  }
  ScriptedBackend backend([](const Launch&) { return completed(1.0); });
  StudyLog log({eight.journal()}, eight.header(), false);
  Ledger ledger(eight.scenario, eight.spec, backend, log);
  EXPECT_THROW(ledger.evaluate({7}), support::InputError);  // it was {0}
}

TEST(Ledger, LaunchesNothingElseThanASearcherOutsideDidBefore) {
  LedgerOfEight eight([](const Launch&) { return completed(1.0); }, 3);
  eight.spec.searcher = outside_searcher("client", "test");
  {
    StudyLog log({eight.journal()}, eight.header(), false);
    Ledger ledger(eight.scenario, eight.spec, eight.backend, log);
    ledger.evaluate({0});
    ledger.evaluate({1});
  }
  const std::string before = read_text(eight.journal());
  int launches = 0;
  ScriptedBackend backend([&](const Launch&) {
    ++launches;
    return completed(1.0);
  });
  StudyLog log({eight.journal()}, eight.header(), false);
  Ledger ledger(eight.scenario, eight.spec, backend, log);
  EXPECT_THROW(ledger.evaluate({7}), NotDeterministic);  // it was {0}
  EXPECT_THROW(ledger.close(), NotDeterministic);        // the journal goes on
  EXPECT_EQ(launches, 0);
  EXPECT_EQ(ledger.balance().launches, 0);
  ledger.evaluate({0});
  ledger.evaluate({1});
  EXPECT_EQ(launches, 2);
  EXPECT_EQ(read_text(eight.journal()), before);
}

TEST(Ledger, DoesNotSayWhatIsBehindLabels) {
  for (const bool permute : {false, true}) {
    LedgerOfEight eight([](const Launch&) { return completed(1.0); }, 3);
    eight.spec.searcher = outside_searcher("client", "test");
    eight.spec.permute = permute;
    {
      StudyLog log({eight.journal()}, eight.header(), false);
      Ledger(eight.scenario, eight.spec, eight.backend, log).evaluate({0});
    }
    StudyLog log({eight.journal()}, eight.header(), false);
    Ledger ledger(eight.scenario, eight.spec, eight.backend, log);
    const std::string name = config_text(eight.scenario.space, {0}).front().first;
    try {
      ledger.evaluate({7});
      ADD_FAILURE() << "accepted";
    } catch (const NotDeterministic& error) {
      EXPECT_THAT(error.what(), HasSubstr("its proposal of trial 0 is "));
      EXPECT_EQ(std::string(error.what()).find("\"" + name + "\":") == std::string::npos, permute);
    }
  }
}

TEST(Ledger, ClosesAStudyAgainOnlyAsItWasClosed) {
  LedgerOfEight eight([](const Launch&) { return completed(1.0); }, 3);
  eight.spec.searcher = outside_searcher("client", "test");
  {
    StudyLog log({eight.journal()}, eight.header(), false);
    Ledger ledger(eight.scenario, eight.spec, eight.backend, log);
    ledger.evaluate({0});
    ledger.close();
  }
  ScriptedBackend backend([](const Launch&) { return completed(1.0); });
  StudyLog log({eight.journal()}, eight.header(), false);
  Ledger ledger(eight.scenario, eight.spec, backend, log, {.was_closed = true});
  ledger.evaluate({0});
  EXPECT_THROW(ledger.evaluate({1}), NotDeterministic);
  EXPECT_THROW(ledger.close(Configuration{0}), NotDeterministic);
  ledger.close();
  EXPECT_TRUE(ledger.is_closed());
  EXPECT_FALSE(read_journal(eight.journal()).recommended);
}

TEST(ShortLaunch, IsChargedItsShare) {
  LedgerOfEight eight([](const Launch&) { return completed(1.0); }, 2);
  StudyLog log({eight.journal()}, eight.header(), false);
  Ledger ledger(eight.scenario, eight.spec, eight.backend, log);
  ledger.launch(Proposal{.config = {3}, .fidelity = 0.25});
  EXPECT_EQ(eight.backend.started.front().fidelity, 0.25);
  EXPECT_EQ(ledger.balance().launches, 0.34375);
  EXPECT_EQ(ledger.balance().launches_left, 1.65625);
  EXPECT_EQ(ledger.state().launches_left, 1.65625);
  EXPECT_EQ(ledger.state().running, 1);
  const auto ended = ledger.next_end();
  ASSERT_TRUE(ended && ended->told);
  EXPECT_EQ(ended->told->fidelity, 0.25);
  EXPECT_EQ(ledger.state().running, 0);
  ASSERT_TRUE(ledger.evaluate({3}));
  EXPECT_EQ(ledger.balance().launches, 1.34375);
  EXPECT_EQ(ledger.balance().repeats, 1);
  const std::vector<JournalLine> lines = eight.lines();
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].fidelity, 0.25);
  EXPECT_EQ(lines[0].attempt, 0);
  EXPECT_FALSE(lines[1].fidelity);
  EXPECT_EQ(lines[1].attempt, 1);  // draws anew
}

TEST(ShortLaunch, MayStartWhileItsChargeIsCovered) {
  LedgerOfEight eight([](const Launch&) { return completed(1.0); }, 2);
  StudyLog log({eight.journal()}, eight.header(), false);
  Ledger ledger(eight.scenario, eight.spec, eight.backend, log);
  ledger.evaluate({0});
  ledger.evaluate({1}, 0.5);  // 9/16
  EXPECT_TRUE(ledger.may_launch());
  EXPECT_FALSE(ledger.covers(1.0));
  EXPECT_EQ(refusal([&] { ledger.evaluate({2}); }),
            "The launch would be charged 1, and 0.4375 of the budget of 2 launches is left.");
  EXPECT_TRUE(ledger.covers(0.25));
  ledger.evaluate({2}, 0.25);
  EXPECT_EQ(ledger.balance().launches_left, 0.09375);
  EXPECT_FALSE(ledger.may_launch());  // not even a start-up
  EXPECT_EQ(refusal([&] { ledger.evaluate({2}, 1e-6); }), "The budget of 2 launches is spent.");
  EXPECT_EQ(eight.lines().size(), 3U);
}

TEST(ShortLaunch, ARetryIsChargedAlike) {
  LedgerOfEight eight([](const Launch&) { return failed(Reason::infra); }, 1);
  StudyLog log({eight.journal()}, eight.header(), false);
  Ledger ledger(eight.scenario, eight.spec, eight.backend, log);
  const auto ended = ledger.evaluate({0}, 0.25);
  ASSERT_TRUE(ended && ended->told);
  EXPECT_EQ(ended->told->reason, Reason::infra);
  // 0.34375 twice, a third time is not covered.
  EXPECT_EQ(ledger.balance().launches, 0.6875);
  EXPECT_EQ(ledger.balance().retries, 1);
  for (const JournalLine& line : eight.lines()) EXPECT_EQ(line.fidelity, 0.25);
}

TEST(ShortLaunch, IsRefusedWhereItIsNone) {
  LedgerOfEight eight([](const Launch&) { return completed(1.0); }, 2);
  StudyLog log({eight.journal()}, eight.header(), false);
  Ledger ledger(eight.scenario, eight.spec, eight.backend, log);
  for (const double fidelity : {0.0, -0.5, 1.5, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THAT(refusal([&] { ledger.evaluate({0}, fidelity); }),
                HasSubstr("A fidelity is a number above 0 and at most 1, got"));
  }
  EXPECT_EQ(ledger.balance().launches, 0);
}

TEST(ShortLaunch, NeedsABackendThatRunsIt) {
  LedgerOfEight eight([](const Launch&) { return completed(1.0); }, 2);
  StudyLog log({eight.journal()}, eight.header(), false);
  ScriptedBackend whole([](const Launch&) { return completed(1.0); }, false);
  Ledger ledger(eight.scenario, eight.spec, whole, log);
  EXPECT_EQ(refusal([&] { ledger.evaluate({0}, 0.5); }),
            "Jobs run whole here: a fidelity of 0.5 needs a simulated scenario.");
  ledger.evaluate({0}, 1.0);
  EXPECT_EQ(ledger.balance().launches, 1);
}

TEST(ShortLaunch, IsNothingToRecommend) {
  LedgerOfEight eight([](const Launch& launch) {
    return launch.config == Configuration{1} && launch.fidelity == 1.0
               ? failed(Reason::timeout)
               : completed(1.0 + static_cast<double>(launch.config.front()));
  });
  StudyLog log({eight.journal()}, eight.header(), false);
  Ledger ledger(eight.scenario, eight.spec, eight.backend, log);
  ledger.evaluate({5}, 0.25);
  ledger.evaluate({1}, 0.25);
  ledger.evaluate({1});
  EXPECT_FALSE(ledger.summary().best);  // nothing ran whole
  ledger.evaluate({0});
  EXPECT_EQ(ledger.summary().trials, 4);
  EXPECT_EQ(ledger.summary().failed, 1);
  ASSERT_TRUE(ledger.summary().best);
  EXPECT_EQ(ledger.summary().best->value, 1.0);
  for (const std::int64_t never_whole : {5, 1}) {
    EXPECT_EQ(refusal([&] { ledger.close(Configuration{never_whole}); }),
              "A configuration that ran in short launches alone cannot be recommended.");
  }
  ledger.close(Configuration{0});
}

TEST(ShortLaunch, OfASearcherOutsideIsTheSameOnResume) {
  LedgerOfEight eight([](const Launch&) { return completed(1.0); }, 3);
  eight.spec.searcher = outside_searcher("client", "test");
  {
    StudyLog log({eight.journal()}, eight.header(), false);
    Ledger ledger(eight.scenario, eight.spec, eight.backend, log);
    ledger.evaluate({0}, 0.5);
  }
  ScriptedBackend backend([](const Launch&) { return completed(1.0); });
  StudyLog log({eight.journal()}, eight.header(), false);
  Ledger ledger(eight.scenario, eight.spec, backend, log);
  try {
    ledger.evaluate({0});
    ADD_FAILURE() << "accepted";
  } catch (const NotDeterministic& error) {
    EXPECT_STREQ(error.what(),
                 "the client is not deterministic: its proposal of trial 0 has fidelity 1, the "
                 "journal has 0.5");
  }
  ledger.evaluate({0}, 0.5);
  EXPECT_EQ(ledger.balance().launches, 0.5625);
}

TEST(ShortLaunch, CountsTowardsProgressInPart) {
  LedgerOfEight eight([](const Launch&) { return completed(1.0); }, 4);
  StudyLog log({eight.journal()}, eight.header(), false);
  int done = 0;
  Ledger ledger(eight.scenario, eight.spec, eight.backend, log, {.launch_done = [&] { ++done; }});
  std::vector<int> after;
  for (const double fidelity : {0.5, 0.5, 1.0, 0.25}) {
    ledger.evaluate({0}, fidelity);
    after.push_back(done);
  }
  EXPECT_EQ(after, (std::vector<int>{0, 1, 2, 2}));  // 0.5625, 1.125, 2.125, 2.46875
}

TEST(Ledger, AStoppedStudyLaunchesNothingMore) {
  LedgerOfEight eight([](const Launch&) { return completed(1.0); });
  StudyLog log({eight.journal()}, eight.header(), false);
  bool stop = false;
  Ledger ledger(eight.scenario, eight.spec, eight.backend, log, {.stopped = [&] { return stop; }});
  ledger.evaluate({0});
  stop = true;
  EXPECT_EQ(refusal([&] { ledger.evaluate({1}); }), "The study was stopped.");
  EXPECT_TRUE(ledger.is_stopped());
}

}  // namespace
}  // namespace cubicbench::search
