#include "search/folder/finished_studies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "scenarios/readers/scenario_reader.h"
#include "search/folder/campaign.h"
#include "support/input_error.h"
#include "support/sha256.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::search {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* first = "tiny-llama.0.random.0";
constexpr const char* second = "tiny-llama.0.random.1";

SearchResult run(const fs::path& out, bool resume) {
  SearchPlan plan;
  plan.scenarios.push_back(scenarios::read_scenario("tiny-llama"));
  plan.searchers.push_back(parse_searcher("random", "--searcher"));
  plan.trials = 4;
  plan.seeds = 2;
  SearchRun how{.out = out, .resume = resume};
  how.threads = 1;
  return run_search(plan, how);
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

fs::path journal_in(const fs::path& out) {
  return out / "journals" / (std::string(first) + ".jsonl");
}

/// Changes the cost of a launch, so that who plays the study again sees a difference.
std::string change_journal(const fs::path& out) {
  const std::string text = read_text(journal_in(out));
  const std::string changed = replaced(text, "\"cost_gpu_hours\":", "\"cost_gpu_hours\":1");
  write_text(journal_in(out), changed);
  return changed;
}

TEST(FinishedStudies, HoldsWhatASearchFinished) {
  const TemporaryFolder folder;
  EXPECT_FALSE(FinishedStudies(folder / "out").holds(first));
  run(folder / "out", false);
  const FinishedStudies finished(folder / "out");
  EXPECT_TRUE(finished.holds(first));
  EXPECT_TRUE(finished.holds(second));
  EXPECT_FALSE(finished.holds("tiny-llama.0.random.2"));
  change_journal(folder / "out");
  EXPECT_FALSE(finished.holds(first));
  fs::remove(folder / "out/truth" / (std::string(second) + ".jsonl"));
  EXPECT_FALSE(finished.holds(second));
}

TEST(FinishedStudies, ListsHashesByName) {
  const TemporaryFolder folder;
  run(folder / "out", false);
  const auto hash = [&](const char* room, const char* study) {
    return support::sha256_hex(read_text(folder / "out" / room / (std::string(study) + ".jsonl")));
  };
  const auto entry = [&](const char* study) {
    return std::string("    {\n      \"study\": \"") + study + "\",\n      \"journal\": \"" +
           hash("journals", study) + "\",\n      \"truth\": \"" + hash("truth", study) +
           "\"\n    }";
  };
  EXPECT_EQ(read_text(folder / "out/finished.json"),
            "{\n  \"schema\": \"cubicbench.finished/1\",\n  \"version\": \"" CUBICBENCH_VERSION
            "\",\n  \"studies\": [\n" +
                entry(first) + ",\n" + entry(second) + "\n  ]\n}\n");
}

TEST(FinishedStudies, NobodyIsAskedAgain) {
  const TemporaryFolder folder;
  const SearchResult whole = run(folder / "out", false);
  const std::string before = support::sha256_hex(read_text(journal_in(folder / "out")));
  const std::string changed = change_journal(folder / "out");
  // A journal that is not what was listed is played again, which finds the difference.
  EXPECT_THROW(run(folder / "out", true), support::InputError);
  const std::string list = read_text(folder / "out/finished.json");
  write_text(folder / "out/finished.json", replaced(list, before, support::sha256_hex(changed)));
  const SearchResult resumed = run(folder / "out", true);
  EXPECT_EQ(read_text(journal_in(folder / "out")), changed);
  ASSERT_EQ(resumed.studies.size(), 2U);
  EXPECT_GT(resumed.studies[0].cost_gpu_hours, whole.studies[0].cost_gpu_hours);
  EXPECT_EQ(resumed.studies[1].cost_gpu_hours, whole.studies[1].cost_gpu_hours);
  EXPECT_EQ(resumed.studies[1].trials, 4);
  EXPECT_EQ(resumed.studies[1].best->config, whole.studies[1].best->config);
}

TEST(FinishedStudies, ADamagedListIsWrittenAnew) {
  const TemporaryFolder folder;
  run(folder / "out", false);
  const auto whole = files_below(folder / "out");
  for (const std::string_view damaged :
       {"", "{", "[]", "{\"studies\": 3}", "{\"studies\": [{\"study\": \"x\"}]}",
        "{\"studies\": [{\"study\": 1, \"journal\": [], \"truth\": null}]}"}) {
    write_text(folder / "out/finished.json", damaged);
    EXPECT_EQ(run(folder / "out", true).studies.size(), 2U) << damaged;
    EXPECT_EQ(files_below(folder / "out"), whole) << damaged;
  }
}

}  // namespace
}  // namespace cubicbench::search
