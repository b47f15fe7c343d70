// Searches of permuted spaces: what they leave has the scenario's names and resumes like any other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/problem/table_scenario.h"
#include "scenarios/readers/scenario_reader.h"
#include "search/backends/backend_factory.h"
#include "search/folder/campaign.h"
#include "search/journal/journal.h"
#include "search/permuted/permuted_searcher.h"
#include "support/input_error.h"
#include "tests/search/fakes.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::search {
namespace {

using testing::HasSubstr;

SearchPlan permuted_plan(const char* scenario, std::int64_t trials) {
  SearchPlan plan;
  plan.scenarios.push_back(datasets::read_scenario(scenario));
  plan.backend = usual_backend(plan.scenarios);
  for (const SearcherEntry& entry : searchers()) {
    if (entry.launches_short && plan.backend == "table") continue;
    if (entry.needs_known) continue;
    const bool learns = entry.name == "cubicml";
    plan.searchers.push_back(parse_searcher(
        std::string(entry.name) + (learns ? ":random=4:round=3:steps=20" : ""), "test"));
  }
  plan.trials = trials;
  plan.permute = true;
  return plan;
}

SearchResult run(const SearchPlan& plan, const std::filesystem::path& out, bool resume = false) {
  SearchRun how;
  how.out = out;
  how.resume = resume;
  how.threads = 1;
  return run_search(plan, how);
}

TEST(PermutedSearch, LeavesConfigurationsOfTheScenarioWhateverTheSearcher) {
  for (const char* const name : {"tiny-llama", "nanotron-1.34b-16gpu"}) {
    SCOPED_TRACE(name);
    const TemporaryFolder folder;
    SearchPlan plan = permuted_plan(name, 12);
    plan.seeds = 2;
    plan.slots = 3;
    run(plan, folder / "out");
    EXPECT_THAT(read_text(folder / "out/plan.json"), HasSubstr("\"permute\": true\n}"));
    const scenarios::SearchSpace& space = plan.scenarios.front().space;
    const auto whole = files_below(folder / "out");
    for (const auto& [path, text] : whole) {
      if (!path.starts_with("journals/")) continue;
      SCOPED_TRACE(path);
      const JournalFile journal = read_journal(folder / "out" / path);
      EXPECT_TRUE(journal.header.permute);
      // A small table has few corners.
      if (journal.header.searcher == "hyperband") {
        EXPECT_GT(charged(journal), 11.0);
        EXPECT_LE(charged(journal), 12.0);
      } else if (journal.header.searcher != "corner") {
        EXPECT_EQ(journal.lines.size(), 12U);
      }
      EXPECT_FALSE(journal.lines.empty());
      for (const JournalLine& line : journal.lines) {
        EXPECT_NE(line.outcome.reason, scenarios::Reason::invalid);
        std::size_t next = 0;  // parameters stand in the scenario's order
        for (const auto& [parameter, value] : line.config) {
          const int number = space.find(parameter);
          ASSERT_GE(number, static_cast<int>(next));
          next = static_cast<std::size_t>(number) + 1;
        }
      }
    }
    // Half of every journal and truth is lost; the search goes on to the same bytes.
    for (const auto& [path, text] : whole) {
      if (path != "plan.json") write_text(folder / "out" / path, text.substr(0, text.size() / 2));
    }
    run(plan, folder / "out", true);
    EXPECT_EQ(files_below(folder / "out"), whole);
  }
}

TEST(PermutedSearch, IsAnotherSearchThanThatOfTheSpaceAsItIs) {
  const TemporaryFolder folder;
  SearchPlan plan = permuted_plan("tiny-llama", 5);
  run(plan, folder / "out");
  plan.permute = false;
  try {
    run(plan, folder / "out", true);
    FAIL() << "expected an error";
  } catch (const support::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("plan.json#/permute: expected nothing, got true"));
  }
  run(plan, folder / "plain");
  EXPECT_THAT(read_text(folder / "plain/plan.json"), testing::Not(HasSubstr("permute")));
  const std::string journal = "journals/tiny-llama.0.first-value.0.jsonl";
  EXPECT_THAT(read_text(folder / "plain" / journal), testing::Not(HasSubstr("permute")));
  EXPECT_NE(read_text(folder / "plain" / journal), read_text(folder / "out" / journal));
}

// Every seed sees an order of its own.
TEST(PermutedSearch, StartsElsewhereWithEverySeed) {
  const scenarios::Scenario scenario = scenarios::read_scenario("tiny-llama");
  std::set<scenarios::Configuration> first;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const auto searcher = make_permuted_searcher(parse_searcher("constant", "test"),
                                                 {.space = scenario.space, .seed = seed},
                                                 permutation_key(scenario.sha256, seed));
    first.insert(searcher->ask()->config);
  }
  EXPECT_GT(first.size(), 4U);
}

}  // namespace
}  // namespace cubicbench::search
