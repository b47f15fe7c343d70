// The folder of a short search on each backend, whole: plan, journals and truth.
#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include "datasets/problem/table_scenario.h"
#include "search/folder/campaign.h"
#include "tests/golden_files.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::search {
namespace {

SearchPlan plan_of(const std::string& scenario, const std::string& backend,
                   const std::vector<std::string>& searchers) {
  SearchPlan plan;
  plan.scenarios.push_back(datasets::read_scenario(scenario));
  plan.backend = backend;
  for (const std::string& searcher : searchers) {
    plan.searchers.push_back(parse_searcher(searcher, "test"));
  }
  return plan;
}

void run(const SearchPlan& plan, const std::filesystem::path& out, bool resume = false) {
  SearchRun how;
  how.out = out;
  how.resume = resume;
  how.threads = 1;
  run_search(plan, how);
}

/// Every file with its path above it, but finished.json, which only has hashes of the others. The
/// version, which `VERSION` has once for all goldens, is left out, and so are the times of what
/// really ran.
std::string golden_of(const std::filesystem::path& folder) {
  std::string golden;
  for (const auto& [path, text] : files_below(folder)) {
    if (path != "finished.json") golden += "== " + path + "\n" + text;
  }
  const std::string version = std::string("(\"version\": ?\")") + CUBICBENCH_VERSION + "\"";
  golden = std::regex_replace(golden, std::regex(version), "$1...\"");
  return golden;
}

std::string without_times(const std::string& text) {
  return std::regex_replace(text, std::regex("(\"(started|finished)_h\":)[0-9.e-]+"), "$1...");
}

// On the larger cluster machines fail, and launches are repeated; on the smaller one embeddings
// diverge or do not fit.
TEST(GoldenSearch, OfTheSimulator) {
  for (const std::string scenario : {"llama3-405b", "ads-73b"}) {
    const TemporaryFolder folder;
    SearchPlan plan =
        plan_of(scenario, "simulator",
                {"evolution:population=4:sample=2",
                 "cubicml:paper=1:random=4:round=3:ensemble=1:hidden=3:epochs=2:fits=1:steps=5"});
    plan.trials = 10;
    plan.instances = 2;
    plan.slots = 2;
    plan.permute = true;
    plan.telling = Telling::bytes;
    run(plan, folder / "out");
    expect_golden("search.simulator." + scenario + ".txt", golden_of(folder / "out"));
  }
}

TEST(GoldenSearch, OfATable) {
  const TemporaryFolder folder;
  SearchPlan plan = plan_of("nanotron-1.34b-16gpu", "table", {"random", "corner"});
  plan.trials = 12;
  plan.seeds = 2;
  run(plan, folder / "out");
  expect_golden("search.table.txt", golden_of(folder / "out"));
}

/// A program that is worth more in every later trial, runs out of memory in trial 2, and fails for
/// its machine in the first attempt of trial 3.
constexpr const char* command =
    R"(command:read -r line; trial=${line#*\"trial\":}; trial=${trial%%,*}; )"
    R"(attempt=${line#*\"attempt\":}; attempt=${attempt%%,*}; )"
    R"([ $trial = 2 ] && exit 137; [ $trial$attempt = 30 ] && exit 1; )"
    R"(echo "{\"state\":\"complete\",\"value\":1$trial.5,\"cost_gpu_hours\":0.25}")";

TEST(GoldenSearch, OfACommand) {
  const TemporaryFolder folder;
  SearchPlan plan = plan_of("tiny-llama", command, {"sobol"});
  plan.trials = 6;
  run(plan, folder / "out");
  expect_golden("search.command.txt", without_times(golden_of(folder / "out")));
}

TEST(GoldenSearch, OfWhatWasRecorded) {
  const TemporaryFolder folder;
  SearchPlan plan = plan_of("tiny-llama", command, {"sobol"});
  plan.trials = 6;
  run(plan, folder / "out");
  // A recorded value that the command does not give shows that it is not asked again.
  const std::filesystem::path journal = folder / "out/journals/tiny-llama.0.sobol.0.jsonl";
  const std::string text = read_text(journal);
  std::size_t third = 0;
  for (int line = 0; line < 3; ++line) third = text.find('\n', third) + 1;
  std::string half = text.substr(0, third);
  half.replace(half.find("\"value\":10.5"), 12, "\"value\":99.5");
  write_text(journal, half);
  run(plan, folder / "out", true);
  expect_golden("search.recorded.txt", without_times(golden_of(folder / "out")));
}

}  // namespace
}  // namespace cubicbench::search
