#include "search/backends/recorded_scenario.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "datasets/problem/table_scenario.h"
#include "scenarios/space/listed_space.h"
#include "search/backends/backend_factory.h"
#include "search/folder/campaign.h"
#include "search/folder/merge.h"
#include "search/journal/journal.h"
#include "search/journal/placed_config.h"
#include "search/verification/verification.h"
#include "support/input_error.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::search {
namespace {

namespace fs = std::filesystem;
using scenarios::Configuration;
using scenarios::Scenario;
using testing::HasSubstr;

SearchPlan plan_of(const char* scenario, std::vector<std::string> searchers, std::int64_t trials,
                   std::int64_t seeds = 1) {
  SearchPlan plan;
  plan.scenarios.push_back(datasets::read_scenario(scenario));
  for (const std::string& name : searchers) plan.searchers.push_back(parse_searcher(name, ""));
  plan.trials = trials;
  plan.seeds = seeds;
  plan.start = Start::baseline;
  plan.backend = usual_backend(plan.scenarios);
  return plan;
}

SearchResult search(const SearchPlan& plan, const fs::path& out, bool resume = false) {
  return run_search(plan, {.out = out, .resume = resume, .threads = 1});
}

std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const support::InputError& error) {
    return error.what();
  }
  return "accepted";
}

JournalFile journal(const fs::path& folder, const std::string& study) {
  return read_journal(folder / "journals" / (study + ".jsonl"));
}

void replace_in(const fs::path& file, const std::string& from, const std::string& to) {
  std::string text = read_text(file);
  const std::size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos) << from;
  write_text(file, text.replace(at, from.size(), to));
}

/// The scenarios whose spaces have conditions and constraints are played like any other.
TEST(RecordedScenario, HasWhatWasLaunchedAndNothingElse) {
  const TemporaryFolder folder;
  for (const char* const name : {"tiny-llama", "tiny-gpt", "nanotron-1.34b-16gpu"}) {
    SCOPED_TRACE(name);
    const SearchPlan plan = plan_of(name, {"random", "evolution"}, 20, 2);
    search(plan, folder / name);
    const Scenario& scenario = plan.scenarios.front();
    const Scenario played = recorded_scenario(scenario, 0, folder / name);
    std::map<Configuration, scenarios::TrialOutcome> first;  // launch of each configuration
    for (const char* const study :
         {".0.evolution.0", ".0.evolution.1", ".0.random.0", ".0.random.1"}) {
      for (const JournalLine& line : journal(folder / name, std::string(name) + study).lines) {
        const auto config = placed_config(scenario.space, line.config);
        ASSERT_TRUE(config);
        if (line.attempt == 0) first.emplace(*config, line.outcome);
      }
    }
    EXPECT_EQ(played.space.count(), first.size());
    EXPECT_LT(played.space.count(), scenario.space.count());
    ASSERT_TRUE(played.measured);
    for (const auto& [config, outcome] : first) {
      ASSERT_TRUE(played.space.contains(config));
      const auto& run = played.measured->run(played.space.number_of(config), 0);
      EXPECT_EQ(run.value, outcome.value);
      EXPECT_EQ(run.reason, outcome.reason);
      EXPECT_EQ(run.cost_gpu_hours, outcome.cost_gpu_hours);
      EXPECT_EQ(run.duration_h, outcome.duration_h);
    }
    EXPECT_TRUE(scenarios::is_listed(played.space));
  }
}

// `constant` launches one configuration three times. Both seeds see the same simulator, so that it
// was launched three times and not six; real launches are all there are.
TEST(RecordedScenario, KnowsWhichLaunchesAreTheSame) {
  const TemporaryFolder folder;
  SearchPlan plan = plan_of("tiny-llama", {"constant"}, 3, 2);
  plan.start = Start::none;
  search(plan, folder / "s");
  const Scenario& scenario = plan.scenarios.front();
  const auto runs = [&] {
    return recorded_scenario(scenario, 0, folder / "s").measured->of_configuration.at(0);
  };
  ASSERT_EQ(runs().size(), 3U);
  const JournalFile one = journal(folder / "s", "tiny-llama.0.constant.0");
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(runs()[i].value, one.lines[i].outcome.value);
  for (const char* const seed : {"0", "1"}) {
    replace_in(folder / "s/journals" / ("tiny-llama.0.constant." + std::string(seed) + ".jsonl"),
               R"("backend":"simulator")", R"("backend":"command:./train.sh")");
  }
  EXPECT_EQ(runs().size(), 6U);
}

TEST(RecordedScenario, RefusesAFolderThatTellsNothing) {
  const TemporaryFolder folder;
  const SearchPlan plan = plan_of("tiny-llama", {"random"}, 4);
  search(plan, folder / "s");
  const Scenario& tiny = plan.scenarios.front();
  const std::string where = (folder / "s").string();
  EXPECT_EQ(refusal([&] { recorded_scenario(tiny, 0, folder / "none"); }),
            (folder / "none").string() + ": expected the folder of a search, got none");
  fs::create_directory(folder / "empty");
  EXPECT_EQ(
      refusal([&] { recorded_scenario(tiny, 0, folder / "empty"); }),
      (folder / "empty").string() + ": expected the folder of a search, got one without journals");
  EXPECT_EQ(refusal([&] { recorded_scenario(tiny, 1, folder / "s"); }),
            where +
                ": expected launches of tiny-llama, instance 1, as it is searched here, got "
                "those of tiny-llama, instance 0");
  EXPECT_EQ(
      refusal([&] { recorded_scenario(datasets::read_scenario("tiny-gpt"), 0, folder / "s"); }),
      where +
          ": expected launches of tiny-gpt, instance 0, as it is searched here, got "
          "those of tiny-llama, instance 0");
  const Scenario other = datasets::read_scenario(
      "tiny-llama", std::vector<std::string>{"cluster.device=a100-sxm-80gb"});
  EXPECT_THAT(refusal([&] { recorded_scenario(other, 0, folder / "s"); }),
              HasSubstr("tiny-llama, instance 0, with another scenario_sha256"));
}

// ---- studies of it

SearchPlan replay_of(const fs::path& folder, std::vector<std::string> searchers,
                     std::int64_t trials) {
  SearchPlan plan = plan_of("tiny-llama", std::move(searchers), trials);
  plan.backend = "recorded:" + folder.string();
  return plan;
}

TEST(RecordedSearch, IsPlayedToItsEndAndKeepsNoTruth) {
  const TemporaryFolder folder;
  search(plan_of("tiny-llama", {"random"}, 30), folder / "first");
  SearchPlan plan = replay_of(folder / "first", {"random", "evolution", "tpe", "cubicml"}, 500);
  plan.permute = true;
  const SearchResult result = search(plan, folder / "again");
  std::set<double> recorded;
  for (const JournalLine& line : journal(folder / "first", "tiny-llama.0.random.0").lines) {
    if (line.outcome.value) recorded.insert(*line.outcome.value);
  }
  ASSERT_EQ(result.studies.size(), 4U);
  for (const StudySummary& study : result.studies) {
    EXPECT_EQ(study.trials, 30) << study.study;  // each recorded configuration once
    ASSERT_TRUE(study.best);
    EXPECT_EQ(study.best->value, *recorded.rbegin());
  }
  EXPECT_FALSE(fs::exists(folder / "again/truth"));
  const JournalHeader header = journal(folder / "again", "tiny-llama.0.tpe.0").header;
  EXPECT_THAT(header.backend, testing::StartsWith("recorded-sha256:"));  // an absolute path
  EXPECT_EQ(header.truth_sha256.size(), 64U);
}

TEST(RecordedSearch, IsResumedByteForByteAndNeverOnOtherLaunches) {
  const TemporaryFolder folder;
  search(plan_of("tiny-llama", {"random"}, 30), folder / "first");
  const SearchPlan plan = replay_of(folder / "first", {"evolution"}, 20);
  search(plan, folder / "whole");
  const fs::path cut = folder / "cut";
  fs::copy(folder / "whole", cut, fs::copy_options::recursive);
  fs::remove(cut / "finished.json");
  const fs::path study = cut / "journals/tiny-llama.0.evolution.0.jsonl";
  write_text(study, read_text(study).substr(0, 2'000));
  search(plan, cut, true);
  EXPECT_EQ(files_below(cut), files_below(folder / "whole"));

  replace_in(folder / "first/journals/tiny-llama.0.random.0.jsonl", R"("attempt":0)",
             R"("attempt":7)");  // nothing that is played has changed
  EXPECT_NO_THROW(search(plan, cut, true));
  replace_in(folder / "first/journals/tiny-llama.0.random.0.jsonl", R"("finished_h":0.)",
             R"("finished_h":1.)");
  EXPECT_THAT(refusal([&] { search(plan, cut, true); }),
              HasSubstr("plan.json#/scenarios/0/truth_sha256/0: expected "));
}

TEST(RecordedSearch, HasTheInstancesThatWereSearched) {
  const TemporaryFolder folder;
  SearchPlan first = plan_of("tiny-llama", {"random"}, 10);
  first.instances = 2;
  search(first, folder / "first");
  SearchPlan plan = replay_of(folder / "first", {"random"}, 10);
  plan.instances = 2;
  const SearchResult result = search(plan, folder / "both");
  ASSERT_EQ(result.studies.size(), 2U);
  EXPECT_NE(result.studies[0].best->value, result.studies[1].best->value);
  plan.instances = 3;
  EXPECT_THAT(refusal([&] { search(plan, folder / "three"); }),
              HasSubstr("expected launches of tiny-llama, instance 2"));
  EXPECT_FALSE(fs::exists(folder / "three"));
}

// What a plan names by a relative path can be asked for again; by an absolute one, only its hash is
// known.
TEST(RecordedSearch, IsVerifiedAndMergedWhereItsFolderIsKnown) {
  const TemporaryFolder folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  search(plan_of("tiny-llama", {"random"}, 12), "first");
  SearchPlan plan = replay_of("first", {"evolution", "random"}, 50);
  search(plan, "whole");
  EXPECT_TRUE(
      verify_search({.folder = "whole", .asks_again = true, .threads = 1}).differences.empty());
  for (const std::int64_t index : {1, 2}) {
    plan.shard = {.index = index, .of = 2};
    search(plan, "shard" + std::to_string(index));
  }
  merge_searches({"shard1", "shard2"}, "merged");  // both ended before their budget
  EXPECT_EQ(files_below("merged"), files_below("whole"));
  search(replay_of(folder / "first", {"random"}, 5), "hidden");
  EXPECT_THAT(refusal([] { verify_search({.folder = "hidden", .threads = 1}); }),
              HasSubstr("expected the folder of the search that was played, got its hash alone"));
  fs::current_path(before);
}

}  // namespace
}  // namespace cubicbench::search
