// Searches that know what earlier ones found.
#include "search/study/warm_start.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "datasets/problem/table_scenario.h"
#include "search/finished/known_launches.h"
#include "search/finished/study_set.h"
#include "search/folder/campaign.h"
#include "search/folder/merge.h"
#include "search/folder/plan_reader.h"
#include "search/folder/warm_start_json.h"
#include "search/ledger/run_study.h"
#include "search/verification/verification.h"
#include "support/input_error.h"
#include "tests/search/fakes.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::search {
namespace {

namespace fs = std::filesystem;
using scenarios::Reason;
using testing::HasSubstr;

// ---- one study

KnownLaunch known(const char* micro_batch, scenarios::TrialOutcome outcome) {
  return {.config = {{"micro_batch", micro_batch}}, .outcome = std::move(outcome)};
}

StudySpec spec_of_eight(std::vector<KnownLaunch> launches, Telling telling = Telling::reason) {
  return {.scenario = "eight",
          .searcher = {.text = "list", .name = "list", .options = {}},
          .telling = telling,
          .trials = 100,
          .warm_start =
              std::make_shared<const WarmStart>(warm_start_of("eight", 0, std::move(launches)))};
}

StudySummary run_eight(const StudySpec& spec, Searcher& searcher, Backend& backend,
                       const fs::path& journal) {
  const scenarios::Scenario scenario = scenario_of_eight();
  StudyLog log({journal}, journal_header(spec, scenario.sha256, ""), false);
  return run_study(scenario, spec, searcher, backend, log);
}

TEST(WarmStart, IsToldFirstAndCountsForNothing) {
  const TemporaryFolder folder;
  ListSearcher searcher(std::vector<scenarios::Configuration>{{0}});
  ScriptedBackend backend([](const Launch&) { return completed(10.0); });
  const StudySpec spec =
      spec_of_eight({known("8", completed(99.0)), known("2", failed(Reason::oom_late))});
  const StudySummary summary = run_eight(spec, searcher, backend, folder / "j.jsonl");
  EXPECT_EQ(searcher.calls, "ttata");
  ASSERT_EQ(searcher.told.size(), 3U);
  EXPECT_EQ(searcher.told[0].trial, -2);
  EXPECT_EQ(searcher.told[0].config, (scenarios::Configuration{7}));
  EXPECT_EQ(searcher.told[0].score, 99.0);
  EXPECT_EQ(searcher.told[1].trial, -1);
  EXPECT_EQ(searcher.told[1].reason, Reason::oom_late);
  EXPECT_EQ(searcher.told[2].trial, 0);
  EXPECT_EQ(summary.trials, 1);
  ASSERT_TRUE(summary.best);
  EXPECT_EQ(summary.best->value, 10.0);  // 99 was not measured here
  EXPECT_EQ(summary.cost_gpu_hours, 8.0);
  EXPECT_EQ(read_journal(folder / "j.jsonl").header.warm_start, spec.warm_start->id());
}

TEST(WarmStart, IsToldAsTheStudyTells) {
  const TemporaryFolder folder;
  scenarios::TrialOutcome over = failed(Reason::oom_init);
  over.metrics = {{"over_bytes", 7e9}, {"step_time_s", 2.0}};
  const auto told = [&](Telling telling, const char* file) {
    ListSearcher searcher(std::vector<scenarios::Configuration>{{0}});
    ScriptedBackend backend([](const Launch&) { return failed(Reason::oom_init); });
    run_eight(spec_of_eight({known("3", completed(5.0)), known("8", over)}, telling), searcher,
              backend, folder / file);
    return searcher.told;
  };
  EXPECT_EQ(told(Telling::drop, "drop").size(), 1U);
  EXPECT_EQ(told(Telling::bytes, "bytes").at(1).over_bytes, 7e9);
  EXPECT_FALSE(told(Telling::reason, "reason").at(1).over_bytes);
  EXPECT_EQ(told(Telling::worst, "worst").at(1).score, 5.0);
  EXPECT_EQ(told(Telling::worst, "again").at(2).score, 5.0) << "of what was known too";
}

/// Recommends what it was told first, come what may.
class Recommending final : public Searcher {
 public:
  std::optional<Proposal> ask() override {
    return asked_++ == 0 ? std::optional(Proposal{.config = {0}}) : std::nullopt;
  }
  void tell(const ToldTrial& trial) override {
    if (!first_) first_ = trial.config;
  }
  std::optional<scenarios::Configuration> recommend() override { return first_; }

 private:
  int asked_ = 0;
  std::optional<scenarios::Configuration> first_;
};

TEST(WarmStart, IsNoMeasurementThatCouldBeRecommended) {
  const TemporaryFolder folder;
  ScriptedBackend backend([](const Launch&) { return completed(1.0); });
  Recommending unmeasured;
  run_eight(spec_of_eight({known("8", completed(99.0))}), unmeasured, backend, folder / "a.jsonl");
  EXPECT_FALSE(read_journal(folder / "a.jsonl").recommended);
  Recommending measured;
  run_eight(spec_of_eight({known("1", completed(99.0))}), measured, backend, folder / "b.jsonl");
  EXPECT_EQ(read_journal(folder / "b.jsonl").recommended, (ConfigText{{"micro_batch", "1"}}));
}

// ---- folders

SearchPlan plan_of(std::vector<std::string> searchers, std::int64_t trials,
                   std::int64_t seeds = 1) {
  SearchPlan plan;
  plan.scenarios.push_back(datasets::read_scenario("tiny-llama"));
  for (const std::string& name : searchers) plan.searchers.push_back(parse_searcher(name, ""));
  plan.trials = trials;
  plan.seeds = seeds;
  plan.start = Start::baseline;
  plan.telling = Telling::bytes;
  return plan;
}

void warm_up(SearchPlan& plan, const fs::path& from) {
  plan.warm_start =
      read_known_launches(std::vector{from.string()}, plan.scenarios, plan.salt_sha256).warm;
}

SearchResult search(const SearchPlan& plan, const fs::path& out, bool resume = false) {
  return run_search(plan, {.out = out, .resume = resume, .threads = 2});
}

std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const support::InputError& error) {
    return error.what();
  }
  return "accepted";
}

const std::vector<std::string> learners{"evolution", "tpe",    "cubicml:steps=20", "genetic",
                                        "annealing", "cma-es", "local-search",     "coordinate"};

/// The values of each journal's launches, 0 of those that failed.
std::vector<std::vector<double>> values_in(const fs::path& folder) {
  std::vector<std::vector<double>> values;
  for (const fs::path& journal : journals_of(folder)) {
    values.emplace_back();
    for (const JournalLine& line : read_journal(journal).lines) {
      values.back().push_back(line.outcome.value.value_or(0.0));
    }
  }
  return values;
}

/// What 120 random launches of a space of a few hundred configurations tell is worth more than
/// four launches: who learns proposes something else from the first launch on, and the best of four
/// is better by a twentieth in the mean.
TEST(WarmSearch, BeginsWhereTheEarlierOneEnded) {
  const TemporaryFolder folder;
  search(plan_of({"random"}, 60, 2), folder / "first");
  const SearchPlan cold = plan_of(learners, 5);
  SearchPlan warm = cold;
  warm_up(warm, folder / "first");
  search(cold, folder / "cold");
  search(warm, folder / "warm");
  const auto without = values_in(folder / "cold");
  const auto with = values_in(folder / "warm");
  ASSERT_EQ(with.size(), learners.size());
  const std::vector<fs::path> journals = journals_of(folder / "warm");
  double best_with = 0.0;
  double best_without = 0.0;
  for (std::size_t i = 0; i < with.size(); ++i) {
    SCOPED_TRACE(journals[i]);
    EXPECT_EQ(with[i].at(0), without[i].at(0));  // the baseline
    EXPECT_NE(with[i].at(1), without[i].at(1));
    const auto best_of_four = [](const std::vector<double>& values) {
      return std::max({values.at(1), values.at(2), values.at(3), values.at(4)});
    };
    best_with += best_of_four(with[i]);
    best_without += best_of_four(without[i]);
  }
  EXPECT_GT(best_with, 1.05 * best_without) << best_with << " " << best_without;
}

TEST(WarmSearch, IsTheSameWhateverInterruptsIt) {
  const TemporaryFolder folder;
  search(plan_of({"random"}, 20), folder / "first");
  SearchPlan plan = plan_of({"evolution:population=8", "cubicml:steps=20"}, 25);
  plan.permute = true;
  warm_up(plan, folder / "first");
  search(plan, folder / "whole");
  const auto expected = files_below(folder / "whole");
  const fs::path cut = folder / "cut";
  fs::copy(folder / "whole", cut, fs::copy_options::recursive);
  fs::remove(cut / "finished.json");
  for (const fs::path& journal : journals_of(cut)) {
    write_text(journal, read_text(journal).substr(0, 3'000));
  }
  search(plan, cut, true);
  EXPECT_EQ(files_below(cut), expected);
  EXPECT_TRUE(verify_search({.folder = cut, .asks_again = true, .threads = 1}).differences.empty());
  std::vector<fs::path> shards;
  for (const std::int64_t index : {1, 2}) {
    plan.shard = {.index = index, .of = 2};
    shards.push_back(folder / ("shard" + std::to_string(index)));
    search(plan, shards.back());
  }
  merge_searches(shards, folder / "merged");
  EXPECT_EQ(files_below(folder / "merged"), expected);
}

// The plan holds what was told, so that it needs the earlier folder no more.
TEST(WarmSearch, IsAskedForAgainByItsPlanAlone) {
  const TemporaryFolder folder;
  search(plan_of({"random"}, 8), folder / "first");
  SearchPlan plan = plan_of({"tpe:first=2"}, 10);
  warm_up(plan, folder / "first");
  search(plan, folder / "whole");
  fs::remove_all(folder / "first");
  const SearchPlan read = read_plan((folder / "whole/plan.json").string());
  EXPECT_EQ(read.warm_start, plan.warm_start);
  search(read, folder / "again");
  EXPECT_EQ(files_below(folder / "again"), files_below(folder / "whole"));
}

TEST(WarmSearch, IsNeverResumedOnOtherLaunches) {
  const TemporaryFolder folder;
  search(plan_of({"random"}, 8), folder / "first");
  const SearchPlan cold = plan_of({"evolution"}, 10);
  SearchPlan plan = cold;
  warm_up(plan, folder / "first");
  search(plan, folder / "warm");
  search(plan_of({"random"}, 9), folder / "more");
  warm_up(plan, folder / "more");
  EXPECT_EQ(refusal([&] { search(plan, folder / "warm", true); }),
            (folder / "warm/plan.json").string() +
                "#/warm_start: expected what --warm-start tells, got other launches: it names "
                "another folder, or one that has changed since, which --resume cannot follow");
  EXPECT_THAT(refusal([&] { search(cold, folder / "warm", true); }), HasSubstr("#/warm_start"));
}

TEST(WarmSearch, RefusesAPlanThatWasChangedByHand) {
  const TemporaryFolder folder;
  search(plan_of({"random"}, 3), folder / "first");
  SearchPlan plan = plan_of({"evolution"}, 3);
  warm_up(plan, folder / "first");
  search(plan, folder / "warm");
  const fs::path file = folder / "warm/plan.json";
  std::string text = read_text(file);
  const std::string key = R"("cost_gpu_hours": )";
  text.insert(text.find(key) + key.size(), "1");
  write_text(file, text);
  EXPECT_THAT(refusal([&] { read_plan(file.string()); }),
              HasSubstr("plan.json#/warm_start/problems/0/sha256: expected that of the launches "
                        "below"));
}

TEST(WarmSearch, KnowsWhichStudiesItIs) {
  const TemporaryFolder folder;
  search(plan_of({"random"}, 8), folder / "first");
  const SearchPlan cold = plan_of({"evolution"}, 10);
  SearchPlan warm = cold;
  warm_up(warm, folder / "first");
  search(cold, folder / "cold");
  search(warm, folder / "warm");
  const StudySet set = read_study_set(std::vector{folder / "cold", folder / "warm"});
  ASSERT_EQ(set.studies.size(), 2U);
  EXPECT_EQ(set.studies[0].series, "evolution (cold start)");
  EXPECT_THAT(set.studies[1].series, testing::StartsWith("evolution (warm start "));
}

// ---- the best of what is known

TEST(BestKnown, LaunchesTheBestInTurn) {
  const TemporaryFolder folder;
  search(plan_of({"random"}, 40), folder / "first");
  SearchPlan plan = plan_of({"best-known:count=5"}, 100);
  plan.start = Start::none;
  warm_up(plan, folder / "first");
  search(plan, folder / "best");
  std::vector<double> values;
  for (const JournalLine& line :
       read_journal(folder / "first/journals/tiny-llama.0.random.0.jsonl").lines) {
    if (line.outcome.value) values.push_back(*line.outcome.value);
  }
  std::ranges::sort(values, std::greater());
  const JournalFile best = read_journal(journals_of(folder / "best").front());
  ASSERT_EQ(best.lines.size(), 5U);
  // The same simulator and the same attempt: the same values.
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(best.lines[i].outcome.value, values[i]);
}

TEST(BestKnown, NeedsToKnowSomething) {
  const TemporaryFolder folder;
  EXPECT_EQ(refusal([&] { search(plan_of({"best-known"}, 3), folder / "s"); }),
            "--searcher: expected --warm-start beside best-known, which launches what that tells");
}

}  // namespace
}  // namespace cubicbench::search
