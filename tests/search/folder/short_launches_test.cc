// A search with short launches from end to end: what it leaves, and everything that is done with
// that.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "datasets/problem/table_scenario.h"
#include "search/backends/backend_factory.h"
#include "search/finished/regret.h"
#include "search/finished/study_set.h"
#include "search/folder/campaign.h"
#include "search/folder/merge.h"
#include "search/folder/search_folder.h"
#include "search/journal/journal.h"
#include "search/verification/verification.h"
#include "support/input_error.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::search {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

SearchPlan plan_of(std::int64_t slots, bool permute = false) {
  SearchPlan plan;
  plan.scenarios.push_back(datasets::read_scenario("tiny-llama"));
  plan.searchers.push_back(parse_searcher("hyperband", "test"));
  plan.trials = 14;
  plan.seeds = 2;
  plan.slots = slots;
  plan.start = Start::baseline;
  plan.permute = permute;
  return plan;
}

void search_into(const fs::path& out, const SearchPlan& plan, bool resume = false) {
  run_search(plan, {.out = out, .resume = resume, .threads = 1});
}

TEST(ShortLaunches, AreRecordedAndChargedInPart) {
  const TemporaryFolder folder;
  const SearchPlan plan = plan_of(1);
  const SearchResult result = run_search(plan, {.out = folder / "out", .threads = 1});
  for (const StudySummary& summary : result.studies) {
    const JournalFile journal = read_journal(journal_of(folder / "out", summary.study));
    EXPECT_EQ(summary.trials, std::ssize(journal.lines));
    EXPECT_GT(summary.trials, 14);
    EXPECT_LE(charged(journal), 14.0);
    EXPECT_GT(charged(journal), 13.0);
    EXPECT_FALSE(journal.lines.front().fidelity);  // the baseline
    EXPECT_EQ(journal.lines[1].fidelity, 0.0625);
    ASSERT_TRUE(summary.best);
    const auto best = std::ranges::find_if(
        journal.lines, [&](const JournalLine& line) { return line.trial == summary.best->trial; });
    EXPECT_FALSE(best->fidelity);
  }
  // What each is found to recommend ran whole.
  const std::vector<fs::path> folders{folder / "out"};
  const StudySet set = read_study_set(folders);
  EXPECT_TRUE(set.notes.empty());
  for (const StudyResult& study : set.studies) {
    const auto recommended = recommendations(study);
    EXPECT_EQ(recommended.size(), 14U);
    ASSERT_TRUE(recommended.back());
    EXPECT_EQ(study.launches[recommended.back()->launch].fidelity, 1.0);
  }
}

TEST(ShortLaunches, ResumeFromACutAtEveryLine) {
  for (const std::int64_t slots : {1, 3}) {
    const TemporaryFolder folder;
    SearchPlan plan = plan_of(slots, slots == 3);
    plan.seeds = 1;
    search_into(folder / "out", plan);
    const auto whole = files_below(folder / "out");
    const fs::path journal = folder / "out/journals/tiny-llama.0.hyperband.0.jsonl";
    const std::string text = read_text(journal);
    for (std::size_t end = 0; end < text.size(); end = text.find('\n', end) + 1) {
      write_text(journal, text.substr(0, end + 10));
      search_into(folder / "out", plan, true);
      ASSERT_EQ(files_below(folder / "out"), whole) << "cut to " << end << " bytes";
    }
  }
}

TEST(ShortLaunches, AreVerified) {
  for (const std::int64_t slots : {1, 3}) {
    const TemporaryFolder folder;
    search_into(folder / "out", plan_of(slots));
    for (const bool asks_again : {false, true}) {
      EXPECT_TRUE(verify_search({.folder = folder / "out", .asks_again = asks_again, .threads = 1})
                      .differences.empty());
    }
    // A launch that is said to have been whole measured and cost something else.
    const fs::path journal = folder / "out/journals/tiny-llama.0.hyperband.1.jsonl";
    std::string text = read_text(journal);
    const std::string short_one = "\"fidelity\":0.0625";
    text.replace(text.rfind(short_one), short_one.size(), "\"fidelity\":null");
    write_text(journal, text);
    EXPECT_EQ(verify_search({.folder = folder / "out", .threads = 1}).differences.size(), 1U);
  }
}

TEST(ShortLaunches, OfShardsAreMerged) {
  const TemporaryFolder folder;
  SearchPlan plan = plan_of(1);
  plan.start = Start::none;
  search_into(folder / "whole", plan);
  std::vector<fs::path> shards;
  for (const std::int64_t index : {1, 2}) {
    plan.shard = {.index = index, .of = 2};
    shards.push_back(folder / ("shard" + std::to_string(index)));
    search_into(shards.back(), plan);
  }
  merge_searches(shards, folder / "merged");
  EXPECT_EQ(files_below(folder / "merged").at("journals/tiny-llama.0.hyperband.1.jsonl"),
            files_below(folder / "whole").at("journals/tiny-llama.0.hyperband.1.jsonl"));
  // A study without its last launch is not finished.
  const fs::path journal = shards[1] / "journals/tiny-llama.0.hyperband.1.jsonl";
  std::string text = read_text(journal);
  text.resize(text.rfind('\n', text.size() - 2) + 1);
  write_text(journal, text);
  try {
    merge_searches(shards, folder / "again");
    ADD_FAILURE() << "merged";
  } catch (const support::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("expected a finished study of 14 launches, got 12."));
  }
}

TEST(ShortLaunches, AreRefusedWhereNothingRunsThem) {
  const TemporaryFolder folder;
  SearchPlan plan = plan_of(1);
  plan.searchers.push_back(parse_searcher("random", "test"));
  const auto message = [&] {
    try {
      search_into(folder / "out", plan);
    } catch (const support::InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string expected =
      "--searcher: expected none that launches a share of a job's steps, which the simulator alone "
      "can run, got hyperband";
  plan.backend = "command:true";
  EXPECT_EQ(message(), expected);
  plan.scenarios = {datasets::read_scenario("nanotron-1.34b-16gpu")};
  plan.backend = usual_backend(plan.scenarios);
  EXPECT_EQ(message(), expected);
  EXPECT_FALSE(fs::exists(folder / "out"));
}

}  // namespace
}  // namespace cubicbench::search
