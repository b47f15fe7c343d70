#include "search/study/start.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "datasets/problem/table_scenario.h"
#include "scenarios/problem/granted_baseline.h"
#include "search/journal/journal.h"
#include "search/journal/study_log.h"
#include "search/ledger/run_study.h"
#include "search/permuted/permuted_searcher.h"
#include "search/study/study.h"
#include "support/input_error.h"
#include "tests/search/fakes.h"
#include "tests/temporary_folder.h"

namespace cubicbench::search {
namespace {

using scenarios::Reason;
using testing::ElementsAre;

/// A study of the eight values that begins with the third of them.
struct GrantedStudy {
  scenarios::Scenario scenario = scenario_of_eight();
  StudySpec spec{.scenario = "eight",
                 .searcher = {.text = "list", .name = "list", .options = {}},
                 .trials = 5,
                 .start = Start::baseline};
  TemporaryFolder folder;

  GrantedStudy() { scenario.space.apply(scenarios::Configuration{2}, scenario.baseline); }

  StudySummary run(Searcher& searcher, Backend& backend) const {
    StudyLog log({folder / "eight.jsonl"}, journal_header(spec, scenario.sha256, ""), false);
    return run_study(scenario, spec, searcher, backend, log);
  }
  JournalFile journal() const { return read_journal(folder / "eight.jsonl"); }
};

TEST(Start, TheBaselineIsTrialZeroChargedAndToldBeforeTheSearcherIsAsked) {
  const GrantedStudy study;
  ListSearcher searcher({{0}, {1}});
  ScriptedBackend backend([](const Launch&) { return completed(1.0); });
  EXPECT_EQ(study.run(searcher, backend).trials, 3);
  EXPECT_EQ(searcher.calls, "tatata");
  EXPECT_EQ(searcher.told.front().trial, 0);
  EXPECT_EQ(searcher.told.front().config, scenarios::Configuration{2});
  const JournalFile journal = study.journal();
  EXPECT_EQ(journal.header.start, "baseline");
  EXPECT_EQ(journal.lines.front().config, (ConfigText{{"micro_batch", "3"}}));
  EXPECT_EQ(journal.lines[1].trial, 1);
}

TEST(Start, ABaselineThatTheInfrastructureBreaksIsRetriedWithinTheBudget) {
  GrantedStudy study;
  study.spec.trials = 2;
  ListSearcher searcher(std::vector<scenarios::Configuration>{{0}});
  ScriptedBackend backend([](const Launch&) { return failed(Reason::infra); });
  EXPECT_EQ(study.run(searcher, backend).trials, 2);
  EXPECT_EQ(searcher.calls, "t");
}

TEST(Start, ResumesByteForByte) {
  const GrantedStudy study;
  for (int run = 0; run < 2; ++run) {
    ListSearcher searcher({{0}, {1}});
    ScriptedBackend backend([](const Launch&) { return completed(1.0); });
    study.run(searcher, backend);
    EXPECT_EQ(study.journal().lines.size(), 3U);
  }
}

TEST(Start, ScenariosWithoutABaselineHaveNoneToGrant) {
  EXPECT_TRUE(scenarios::granted_baseline(datasets::read_scenario("tiny-gpt")));
  EXPECT_FALSE(scenarios::granted_baseline(datasets::read_scenario("nanotron-1.34b-8gpu")));
  scenarios::Scenario outside = datasets::read_scenario("tiny-gpt");
  outside.baseline.global_batch *= 2;
  EXPECT_FALSE(scenarios::granted_baseline(outside));
}

TEST(Start, APermutedSearcherIsToldOfTheBaselineAsItSeesIt) {
  const scenarios::Scenario scenario = datasets::read_scenario("tiny-gpt");
  StudySpec spec{.scenario = scenario.name,
                 .searcher = parse_searcher("coordinate", "test"),
                 .trials = 40,
                 .start = Start::baseline,
                 .permute = true};
  const auto searcher = searcher_of(spec, scenario);
  const auto baseline = *scenarios::granted_baseline(scenario);
  ToldTrial told;
  told.config = baseline;
  told.score = 1.0;
  searcher->tell(told);
  // One parameter at a time: what it proposes differs from the baseline in one that both have.
  for (int i = 0; i < 5; ++i) {
    const scenarios::Configuration config = searcher->ask()->config;
    int changed = 0;
    for (std::size_t p = 0; p < config.size(); ++p) {
      const bool both = config[p] != scenarios::inactive && baseline[p] != scenarios::inactive;
      changed += both && config[p] != baseline[p] ? 1 : 0;
    }
    EXPECT_EQ(changed, 1);
  }
}

TEST(Start, HasNamesAndRefusesOthers) {
  EXPECT_EQ(parse_start("none", "--start"), Start::none);
  EXPECT_EQ(name_of(parse_start("baseline", "--start")), "baseline");
  try {
    parse_start("base", "--start");
    FAIL();
  } catch (const support::InputError& error) {
    EXPECT_STREQ(error.what(), "--start: expected one of none, baseline, got \"base\"");
  }
}

/// Recommends what it is told to.
class Adviser final : public Searcher {
 public:
  explicit Adviser(scenarios::Configuration advice) : advice_(std::move(advice)) {}
  std::optional<Proposal> ask() override {
    return next_ == 3 ? std::nullopt : std::optional(Proposal{.config = {next_++}});
  }
  void tell(const ToldTrial&) override {}
  std::optional<scenarios::Configuration> recommend() override { return advice_; }

 private:
  scenarios::Configuration advice_;
  std::int64_t next_ = 0;
};

TEST(Recommendation, IsTheLastLineOfTheJournal) {
  GrantedStudy study;
  study.spec.start = Start::none;
  for (int run = 0; run < 2; ++run) {  // the second run goes through what is there
    Adviser searcher({1});
    ScriptedBackend backend([](const Launch&) { return completed(1.0); });
    study.run(searcher, backend);
    EXPECT_EQ(study.journal().lines.size(), 3U);
    EXPECT_EQ(study.journal().recommended, (ConfigText{{"micro_batch", "2"}}));
  }
}

TEST(RecommendationDeathTest, OfWhatWasNeverLaunchedIsABug) {
  GrantedStudy study;
  study.spec.start = Start::none;
  Adviser searcher({7});
  ScriptedBackend backend([](const Launch&) { return completed(1.0); });
  EXPECT_DEATH(study.run(searcher, backend), "was_launched");
}

}  // namespace
}  // namespace cubicbench::search
