#include "search/study/study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "search/backends/recorded_backend.h"
#include "search/journal/journal.h"
#include "search/journal/study_log.h"
#include "search/ledger/run_study.h"
#include "support/input_error.h"
#include "tests/search/fakes.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;
using scenarios::Reason;
using scenarios::TrialOutcome;
using scenarios::TrialState;

/// A study over the eight values with everything but the outcomes chosen by default.
struct StudyOfEight {
  scenarios::Scenario scenario = scenario_of_eight();
  StudySpec spec{.scenario = "eight",
                 .instance = 0,
                 .searcher = {.text = "list", .name = "list", .options = {}},
                 .telling = Telling::reason,
                 .seed = 0,
                 .trials = 100,
                 .slots = 1,
                 .backend = "simulator"};
  TemporaryFolder folder;

  std::filesystem::path journal() const { return folder / "eight.jsonl"; }
  JournalHeader header() const { return journal_header(spec, scenario.sha256, ""); }
  StudySummary run(Searcher& searcher, Backend& backend, const StudyControl& control = {}) const {
    StudyLog log({journal()}, header(), false);
    return run_study(scenario, spec, searcher, backend, log, control);
  }
  std::vector<JournalLine> lines() const { return read_journal(journal()).lines; }
};

/// Trial and attempt of each line, "0.0 1.0 1.1".
std::string launches(const std::vector<JournalLine>& lines) {
  std::string text;
  for (const JournalLine& line : lines) {
    if (!text.empty()) text += ' ';
    text += std::to_string(line.trial) + "." + std::to_string(line.attempt);
  }
  return text;
}

TEST(Study, AsksRecordsAndTellsInTurn) {
  const StudyOfEight study;
  ListSearcher searcher({{0}, {1}, {2}});
  ScriptedBackend backend(
      [](const Launch& launch) { return completed(10.0 + static_cast<double>(launch.trial)); });
  const StudySummary summary = study.run(searcher, backend);
  EXPECT_EQ(searcher.calls, "atatata");  // the last question has no answer: the study ends early
  EXPECT_EQ(summary.study, "eight.0.list.0");
  EXPECT_EQ(summary.trials, 3);
  EXPECT_EQ(summary.failed, 0);
  EXPECT_EQ(summary.cost_gpu_hours, 24.0);
  ASSERT_TRUE(summary.best);
  EXPECT_EQ(summary.best->trial, 2);
  EXPECT_EQ(summary.best->value, 12.0);
  EXPECT_EQ(summary.best->config, (ConfigText{{"micro_batch", "3"}}));
  const std::vector<JournalLine> lines = study.lines();
  ASSERT_EQ(lines.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(lines[i].started_h, static_cast<double>(i));
    EXPECT_EQ(lines[i].finished_h, static_cast<double>(i + 1));
    EXPECT_EQ(lines[i].round, static_cast<std::int64_t>(i));
  }
}

TEST(Study, RecordsALaunchBeforeItsSearcherIsTold) {
  const StudyOfEight study;
  class Reader final : public Searcher {
   public:
    explicit Reader(std::filesystem::path path) : path_(std::move(path)) {}
    std::optional<Proposal> ask() override { return Proposal{.config = {0}}; }
    void tell(const ToldTrial& trial) override {
      EXPECT_EQ(std::ssize(read_journal(path_).lines), trial.trial + 1);
      ++told;
    }
    int told = 0;

   private:
    std::filesystem::path path_;
  };
  StudySpec spec = study.spec;
  spec.trials = 5;
  Reader searcher(study.journal());
  ScriptedBackend backend([](const Launch&) { return completed(1.0); });
  StudyLog log({study.journal()}, study.header(), false);
  run_study(study.scenario, spec, searcher, backend, log);
  EXPECT_EQ(searcher.told, 5);
}

TEST(Study, TheBudgetCountsLaunches) {
  StudyOfEight study;
  study.spec.trials = 2;
  ListSearcher searcher({{0}, {1}, {2}});
  ScriptedBackend backend([](const Launch&) { return completed(1.0); });
  EXPECT_EQ(study.run(searcher, backend).trials, 2);
  EXPECT_EQ(searcher.calls, "atat");
}

TEST(Study, RetriesWhatTheInfrastructureBroke) {
  // Configuration 1 always breaks: with two retries it is launched three times, as one trial, and
  // the searcher hears of the last. Asked for again, its attempts go on from 3.
  const StudyOfEight study;
  ListSearcher searcher({{0}, {1}, {0}, {1}});
  ScriptedBackend backend([](const Launch& launch) {
    return launch.config == Configuration{1} ? failed(Reason::infra) : completed(1.0);
  });
  const StudySummary summary = study.run(searcher, backend);
  EXPECT_EQ(launches(study.lines()), "0.0 1.0 1.1 1.2 2.1 3.3 3.4 3.5");
  EXPECT_EQ(searcher.calls, "atatatata");
  EXPECT_EQ(summary.trials, 8);
  EXPECT_EQ(summary.failed, 6);
  ASSERT_EQ(searcher.told.size(), 4U);
  EXPECT_EQ(searcher.told[1].reason, Reason::infra);
  EXPECT_EQ(searcher.told[1].cost_gpu_hours, 8.0);  // of the last launch
}

TEST(Study, RetriesOnlyInfrastructureAndOnlyWhileTheBudgetLasts) {
  struct Case {
    const char* name;
    Reason reason;
    std::int64_t max_retries;
    std::int64_t trials;
    const char* launches;
  };
  for (const Case& c : {
           Case{"no retries", Reason::infra, 0, 10, "0.0 1.0"},
           Case{"one", Reason::infra, 1, 10, "0.0 0.1 1.0 1.1"},
           Case{"the budget ends first", Reason::infra, 2, 4, "0.0 0.1 0.2 1.0"},
           Case{"out of memory stays so", Reason::oom_late, 2, 10, "0.0 1.0"},
           Case{"a timeout is no accident", Reason::timeout, 2, 10, "0.0 1.0"},
           Case{"nor are numbers", Reason::numeric, 2, 10, "0.0 1.0"},
       }) {
    SCOPED_TRACE(c.name);
    StudyOfEight study;
    study.scenario = scenario_of_eight(c.max_retries);
    study.spec.trials = c.trials;
    ListSearcher searcher({{0}, {1}});
    ScriptedBackend backend([&](const Launch&) { return failed(c.reason); });
    const StudySummary summary = study.run(searcher, backend);
    EXPECT_EQ(launches(study.lines()), c.launches);
    EXPECT_EQ(searcher.told.size(), 2U);
    EXPECT_FALSE(summary.best);  // a study whose trials all failed ends like any other
    EXPECT_EQ(summary.failed, summary.trials);
  }
}

TEST(Study, SlotsFinishInTheOrderOfTheClock) {
  // Two slots; trials take 3, 1, 1, 1, 5 hours. Trial 0 runs 0-3; 1, 2, 3 follow each other in the
  // other slot, 0-1, 1-2, 2-3; 0 and 3 end together, 0 first; then 4 starts at 3.
  StudyOfEight study;
  study.spec.slots = 2;
  const std::vector<double> hours{3, 1, 1, 1, 5};
  ListSearcher searcher({{0}, {1}, {2}, {3}, {4}});
  ScriptedBackend backend([&](const Launch& launch) {
    return completed(1.0, hours[static_cast<std::size_t>(launch.trial)]);
  });
  study.run(searcher, backend);
  const std::vector<JournalLine> lines = study.lines();
  EXPECT_EQ(launches(lines), "1.0 2.0 0.0 3.0 4.0");
  const std::vector<double> started{0, 1, 0, 2, 3};
  const std::vector<double> finished{1, 2, 3, 3, 8};
  ASSERT_EQ(lines.size(), 5U);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_EQ(lines[i].started_h, started[i]) << i;
    EXPECT_EQ(lines[i].finished_h, finished[i]) << i;
  }
  EXPECT_EQ(searcher.calls, "aatatatatat");
}

TEST(Study, ARetryTakesTheFreedSlotAtOnce) {
  StudyOfEight study;
  study.spec.slots = 2;
  ListSearcher searcher({{0}, {1}, {2}});
  ScriptedBackend backend([](const Launch& launch) {
    return launch.trial == 0 && launch.attempt == 0 ? failed(Reason::infra, 1.0)
                                                    : completed(1.0, 2.0);
  });
  study.run(searcher, backend);
  // 0 breaks at 1 and runs again 1-3, untold; 1 runs 0-2; 2 takes its slot, 2-4.
  EXPECT_EQ(launches(study.lines()), "0.0 1.0 0.1 2.0");
  EXPECT_EQ(searcher.calls, "aatatat");
}

TEST(Study, TheBestIsTheLowestTrialOfEqualOnes) {
  StudyOfEight study;
  study.spec.slots = 2;
  for (const auto direction : {scenarios::Direction::maximize, scenarios::Direction::minimize}) {
    study.scenario.objective.direction = direction;
    const bool up = direction == scenarios::Direction::maximize;
    ListSearcher searcher({{0}, {1}, {2}, {3}});
    // Trial 0 takes longest and ends last; 1 and 3 are as good; 2 is worse.
    ScriptedBackend backend([&](const Launch& launch) {
      return completed(launch.trial == 2 ? (up ? 4.0 : 6.0) : 5.0, launch.trial == 0 ? 9.0 : 1.0);
    });
    std::filesystem::remove(study.journal());
    const StudySummary summary = study.run(searcher, backend);
    ASSERT_TRUE(summary.best);
    EXPECT_EQ(summary.best->trial, 0);
    EXPECT_EQ(summary.best->value, 5.0);
  }
}

TEST(Study, SearchersAreToldScores) {
  StudyOfEight study;
  study.scenario.objective.direction = scenarios::Direction::minimize;
  ListSearcher searcher(std::vector<Configuration>{{0}});
  ScriptedBackend backend([](const Launch&) { return completed(5.0); });
  study.run(searcher, backend);
  ASSERT_EQ(searcher.told.size(), 1U);
  EXPECT_EQ(searcher.told[0].score, -5.0);
  EXPECT_EQ(study.lines()[0].outcome.value, 5.0);
}

TEST(Study, StoppedWithLaunchesThatCannotBeRepeatedItWaitsForThem) {
  StudyOfEight study;
  study.spec.slots = 3;
  ListSearcher searcher({{0}, {1}, {2}, {3}, {4}, {5}});
  ScriptedBackend backend([](const Launch& launch) {
    return launch.trial == 1 ? failed(Reason::infra) : completed(1.0);
  });
  bool stop = false;
  study.run(searcher, backend,
            {.stopped = [&] { return stop; },
             .launch_done = [&] { stop = true; },
             .finish_running = true});
  EXPECT_EQ(launches(study.lines()), "0.0 1.0 2.0");  // nothing more, and no retry
  EXPECT_EQ(backend.started.size(), 3U);

  // Resumed, the three are handed out, the retry that was due is made, and the rest is new.
  ListSearcher again({{0}, {1}, {2}, {3}, {4}, {5}});
  auto owned = std::make_unique<ScriptedBackend>([](const Launch&) { return completed(2.0); });
  const ScriptedBackend& cluster = *owned;
  RecordedBackend recorded(std::move(owned), study.lines(), study.journal());
  study.run(again, recorded);
  ASSERT_EQ(cluster.started.size(), 4U);
  EXPECT_EQ(launches(study.lines()).substr(0, 11), "0.0 1.0 2.0");
  EXPECT_EQ(cluster.started[0].trial, 3);  // it took the slot that 0 had freed
  EXPECT_EQ(cluster.started[1].trial, 1);
  EXPECT_EQ(cluster.started[1].attempt, 1);
  EXPECT_EQ(study.lines().size(), 7U);
}

TEST(RecordedBackend, RefusesALineOfALaunchThatIsNotRunning) {
  const StudyOfEight study;
  auto cluster = std::make_unique<ScriptedBackend>([](const Launch&) { return completed(1.0); });
  JournalLine line;
  line.trial = 4;
  RecordedBackend recorded(std::move(cluster), {line}, "journal.jsonl");
  recorded.start({.trial = 0, .config = {0}});
  try {
    recorded.wait();
    ADD_FAILURE() << "no error";
  } catch (const support::InputError& error) {
    EXPECT_STREQ(error.what(),
                 "journal.jsonl:2: expected a launch that was running, got trial 4, attempt 0");
  }
}

TEST(Study, RecordedOutcomesAreWrittenAsTheyWere) {
  // A resumed study of real runs verifies what it hands out against the same journal.
  StudyOfEight study;
  ListSearcher searcher({{0}, {1}, {2}});
  ScriptedBackend cluster([](const Launch& launch) {
    TrialOutcome outcome = completed(0.1 * static_cast<double>(launch.trial + 1), 1.0 / 3.0);
    outcome.metrics = {{"loss", 1e-9}, {"step_time_s", 1.0 / 7.0}};
    return outcome;
  });
  study.spec.trials = 2;
  study.run(searcher, cluster);
  const std::string text = read_text(study.journal());
  ListSearcher again({{0}, {1}, {2}});
  auto nothing = std::make_unique<ScriptedBackend>([](const Launch&) {
    ADD_FAILURE() << "nothing should be launched";
    return completed(0.0);
  });
  RecordedBackend recorded(std::move(nothing), study.lines(), study.journal());
  EXPECT_EQ(study.run(again, recorded).trials, 2);
  EXPECT_EQ(read_text(study.journal()), text);
  EXPECT_EQ(again.told.back().score, 0.2);
}

TEST(StudyName, IsAFileName) {
  StudySpec spec;
  spec.scenario = "llama3-70b";
  spec.instance = 3;
  spec.searcher.text = "random";
  spec.seed = 12;
  EXPECT_EQ(study_name(spec), "llama3-70b.3.random.12");
  spec.searcher.text = "evolution:population=50";
  EXPECT_THAT(study_name(spec), testing::MatchesRegex("llama3-70b\\.3\\.[-a-z0-9]+\\.12"));
}

TEST(Study, EndsWhereWhatIsLeftDoesNotCoverAProposal) {
  StudyOfEight study;
  study.spec.trials = 2;
  ProposalSearcher searcher({{.config = {0}, .fidelity = 0.25},
                             {.config = {1}},
                             {.config = {2}},  // 0.65625 are left
                             {.config = {3}, .fidelity = 0.25}});
  ScriptedBackend backend([](const Launch&) { return completed(1.0); });
  const StudySummary summary = study.run(searcher, backend);
  EXPECT_EQ(summary.trials, 2);
  EXPECT_EQ(searcher.told.size(), 2U);
  ASSERT_EQ(searcher.states.size(), 3U);
  EXPECT_EQ(searcher.states[0].launches_left, 2.0);
  EXPECT_EQ(searcher.states[1].launches_left, 1.65625);
  EXPECT_EQ(searcher.states[2].launches_left, 0.65625);
  EXPECT_EQ(charged(read_journal(study.journal())), 1.34375);
}

}  // namespace
}  // namespace cubicbench::search
