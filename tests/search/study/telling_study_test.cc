// What searchers hear of failures from the launch to the ear, whoever runs the launches.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "datasets/problem/table_scenario.h"
#include "scenarios/readers/scenario_reader.h"
#include "search/backends/command_backend.h"
#include "search/backends/simulated_backends.h"
#include "search/folder/campaign.h"
#include "search/journal/journal.h"
#include "search/journal/study_log.h"
#include "search/journal/truth_line.h"
#include "search/ledger/run_study.h"
#include "search/study/study.h"
#include "tests/search/fakes.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;
using scenarios::Reason;
using scenarios::TrialOutcome;
using scenarios::TrialState;
using testing::AnyOf;

constexpr std::array<Telling, 5> all_tellings{Telling::drop, Telling::worst, Telling::penalty,
                                              Telling::reason, Telling::bytes};

/// Configuration 0 gives 7 and 1 gives 5; 2 to 7 fail, each for a reason of its own.
constexpr std::array<Reason, 8> reasons{Reason::none,     Reason::none,     Reason::invalid,
                                        Reason::oom_init, Reason::oom_late, Reason::timeout,
                                        Reason::numeric,  Reason::infra};

TrialOutcome outcome_of(const Launch& launch) {
  const auto which = static_cast<std::size_t>(launch.config.front());
  if (which < 2) return completed(which == 0 ? 7.0 : 5.0);
  TrialOutcome outcome = failed(reasons[which]);
  if (which == 3 || which == 4) outcome.metrics = {{"over_bytes", 1e9}};
  return outcome;
}

struct Heard {
  std::vector<ToldTrial> told;
  std::string calls;
  std::vector<JournalLine> lines;
};

/// A study that launches the eight configurations in turn, one retry allowed.
Heard heard(Telling telling, const std::filesystem::path& journal) {
  const scenarios::Scenario scenario = scenario_of_eight(1);
  ListSearcher searcher({{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}});
  ScriptedBackend backend(outcome_of);
  const StudySpec spec{.scenario = "eight",
                       .searcher = {.text = "list", .name = "list", .options = {}},
                       .telling = telling,
                       .trials = 100};
  JournalHeader header;
  header.scenario = "eight";
  header.backend = "simulator";
  header.telling = name_of(telling);
  header.trials = 100;
  StudyLog log({journal}, header, false);
  run_study(scenario, spec, searcher, backend, log);
  return {searcher.told, searcher.calls, read_journal(journal).lines};
}

TEST(TellingStudy, JournalsAreTheSameWhateverIsTold) {
  const TemporaryFolder folder;
  for (const Telling telling : all_tellings) {
    SCOPED_TRACE(name_of(telling));
    const Heard study = heard(telling, folder / std::string(name_of(telling)));
    ASSERT_EQ(study.lines.size(), 9U);  // the one that infrastructure broke was launched twice
    for (std::size_t i = 0; i < study.lines.size(); ++i) {
      const JournalLine& line = study.lines[i];
      EXPECT_EQ(line.trial, static_cast<std::int64_t>(std::min<std::size_t>(i, 7)));
      EXPECT_EQ(line.outcome.reason, reasons[std::min<std::size_t>(i, 7)]);
    }
    EXPECT_EQ(study.lines.back().attempt, 1);
  }
}

TEST(TellingStudy, DropLeavesFailuresUnsaid) {
  const TemporaryFolder folder;
  const Heard study = heard(Telling::drop, folder / "j");
  EXPECT_EQ(study.calls, "atataaaaaaa");
  ASSERT_EQ(study.told.size(), 2U);
  EXPECT_EQ(study.told[1].score, 5.0);
}

TEST(TellingStudy, WorstAndPenaltyGiveEveryFailureAScore) {
  const TemporaryFolder folder;
  for (const Telling telling : {Telling::worst, Telling::penalty}) {
    const Heard study = heard(telling, folder / std::string(name_of(telling)));
    EXPECT_EQ(study.calls, "atatatatatatatata");
    ASSERT_EQ(study.told.size(), 8U);
    for (std::size_t i = 2; i < 8; ++i) {
      SCOPED_TRACE(i);
      EXPECT_EQ(study.told[i].trial, static_cast<std::int64_t>(i));
      EXPECT_EQ(study.told[i].state, TrialState::complete);
      EXPECT_EQ(study.told[i].reason, Reason::none);
      EXPECT_EQ(study.told[i].score, telling == Telling::worst ? 5.0 : 0.0);
      EXPECT_FALSE(study.told[i].over_bytes);
    }
  }
}

TEST(TellingStudy, ReasonAndBytesSayWhy) {
  const TemporaryFolder folder;
  for (const Telling telling : {Telling::reason, Telling::bytes}) {
    const Heard study = heard(telling, folder / std::string(name_of(telling)));
    ASSERT_EQ(study.told.size(), 8U);
    for (std::size_t i = 2; i < 8; ++i) {
      SCOPED_TRACE(i);
      EXPECT_EQ(study.told[i].state, TrialState::fail);
      EXPECT_EQ(study.told[i].reason, reasons[i]);
      EXPECT_FALSE(study.told[i].score);
      const bool bytes = telling == Telling::bytes && (i == 3 || i == 4);
      EXPECT_EQ(study.told[i].over_bytes, bytes ? std::optional<double>(1e9) : std::nullopt);
    }
  }
}

/// Table scenarios do not say how far beyond the limit a run was: of them `bytes` is `reason`.
TEST(TellingStudy, ATableKnowsNoBytes) {
  const TemporaryFolder folder;
  const scenarios::Scenario scenario = datasets::read_scenario("nanotron-3.57b-64gpu");
  std::vector<Configuration> all;
  for (std::uint64_t i = 0; i < scenario.space.count(); ++i) {
    Configuration config(scenario.space.size());
    scenario.space.configuration_at(i, config);
    all.push_back(config);
  }
  for (const Telling telling : all_tellings) {
    SCOPED_TRACE(name_of(telling));
    ListSearcher searcher(all);
    TableBackend backend(scenario);
    const StudySpec spec{
        .scenario = scenario.name, .searcher = {}, .telling = telling, .trials = 1000};
    StudyLog log({folder / std::string(name_of(telling))}, {}, false);
    const StudySummary summary = run_study(scenario, spec, searcher, backend, log);
    ASSERT_EQ(summary.failed, 31);
    const auto count = [&](auto is) { return std::ranges::count_if(searcher.told, is); };
    EXPECT_EQ(std::ssize(searcher.told), summary.trials - (telling == Telling::drop ? 31 : 0));
    const bool says_why = telling == Telling::reason || telling == Telling::bytes;
    EXPECT_EQ(count([](const ToldTrial& t) { return t.reason == Reason::oom_late; }),
              says_why ? 31 : 0);
    EXPECT_EQ(count([](const ToldTrial& t) { return t.over_bytes.has_value(); }), 0);
  }
}

/// A program that says how its launches failed is told of as a simulator is, bytes included.
TEST(TellingStudy, AProgramTellsAllThatItKnows) {
  const TemporaryFolder folder;
  const scenarios::Scenario scenario = scenarios::read_scenario("tiny-llama");
  const Configuration config = scenario.space.from_plan(scenario.baseline).configuration;
  const std::string program =
      R"(read -r line; case "$line" in
      *'"trial":0,'*) echo '{"state":"complete","value":7}';;
      *'"trial":1,'*) echo '{"state":"fail","reason":"numeric"}';;
      *'"trial":2,'*) echo '{"state":"fail","reason":"oom_late","metrics":{"over_bytes":5e9}}';;
      *'"attempt":3,'*) exit 1;;
      *) echo '{"state":"complete","value":6}';; esac)";
  for (const Telling telling : all_tellings) {
    SCOPED_TRACE(name_of(telling));
    ListSearcher searcher({config, config, config, config});
    const auto backend = make_command_backend({.scenario = &scenario, .command = program});
    const StudySpec spec{
        .scenario = scenario.name, .searcher = {}, .telling = telling, .trials = 10};
    StudyLog log({folder / std::string(name_of(telling))}, {}, false);
    const StudySummary summary = run_study(scenario, spec, searcher, *backend, log);
    EXPECT_EQ(summary.trials, 5);  // the fourth was launched twice
    EXPECT_EQ(summary.failed, 3);
    const std::vector<ToldTrial>& told = searcher.told;
    ASSERT_EQ(told.size(), telling == Telling::drop ? 2U : 4U);
    EXPECT_EQ(told.back().score, 6.0);
    if (telling == Telling::drop) continue;
    const bool says_why = telling == Telling::reason || telling == Telling::bytes;
    EXPECT_EQ(told[1].reason, says_why ? Reason::numeric : Reason::none);
    EXPECT_EQ(told[2].reason, says_why ? Reason::oom_late : Reason::none);
    EXPECT_EQ(told[2].over_bytes,
              telling == Telling::bytes ? std::optional<double>(5e9) : std::nullopt);
    if (!says_why) {
      EXPECT_EQ(told[1].score, telling == Telling::worst ? 7.0 : 0.0);
    }
  }
}

/// Everything that the simulator can do to a launch, in one small study a telling.
SearchPlan risky_plan(Telling telling) {
  SearchPlan plan;
  plan.scenarios.push_back(
      scenarios::read_scenario("ads-73b", std::vector<std::string>{"truth.numeric=assumed-2026"}));
  for (const char* searcher : {"random", "evolution", "sobol"}) {
    plan.searchers.push_back(parse_searcher(searcher, "--searcher"));
  }
  plan.trials = 40;
  plan.instances = 3;
  plan.slots = 2;
  plan.telling = telling;
  return plan;
}

TEST(TellingStudy, NumericFailuresAreLaunchedOnceAndTheTruthAgrees) {
  const TemporaryFolder folder;
  SearchPlan plan = risky_plan(Telling::reason);
  plan.trials = 150;
  run_search(plan, {.out = folder / "out", .threads = 2, .progress = {}});
  int numeric = 0;
  for (int instance = 0; instance < 3; ++instance) {
    const std::string name = "ads-73b." + std::to_string(instance) + ".random.0.jsonl";
    const JournalFile journal = read_journal(folder / ("out/journals/" + name));
    const TruthFile truth = read_truth(folder / ("out/truth/" + name));
    ASSERT_EQ(journal.lines.size(), truth.lines.size());
    std::set<std::int64_t> diverged;
    for (std::size_t i = 0; i < journal.lines.size(); ++i) {
      const bool here = journal.lines[i].outcome.reason == Reason::numeric;
      // Near the limit of memory a launch that would diverge may not come to it, and one that
      // should not fit may.
      const Reason launched = journal.lines[i].outcome.reason;
      const Reason true_reason = truth.lines[i].truth.reason;
      if (here) {
        EXPECT_THAT(true_reason, AnyOf(Reason::numeric, Reason::oom_late));
      }
      if (true_reason == Reason::numeric) {
        EXPECT_THAT(launched, AnyOf(Reason::numeric, Reason::oom_late));
      }
      if (!here) continue;
      ++numeric;
      EXPECT_TRUE(diverged.insert(journal.lines[i].trial).second);  // no retry
      EXPECT_GT(journal.lines[i].outcome.cost_gpu_hours, 128.0 * 300.0 / 3600.0);
    }
  }
  EXPECT_GT(numeric, 5);
}

TEST(TellingStudy, ResumesToTheSameBytesUnderEveryTelling) {
  for (const Telling telling : all_tellings) {
    SCOPED_TRACE(name_of(telling));
    const TemporaryFolder folder;
    const SearchPlan plan = risky_plan(telling);
    run_search(plan, {.out = folder / "out", .threads = 2, .progress = {}});
    const auto whole = files_below(folder / "out");
    for (const auto& [name, text] : whole) {
      if (name != "plan.json") write_text(folder / "out" / name, text.substr(0, text.size() / 2));
    }
    run_search(plan, {.out = folder / "out", .resume = true, .threads = 1, .progress = {}});
    EXPECT_EQ(files_below(folder / "out"), whole);
  }
}

}  // namespace
}  // namespace cubicbench::search
