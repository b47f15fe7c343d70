#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "search/searchers/registry.h"
#include "tests/cli/folder_test.h"
#include "tests/cli/program.h"

namespace cubicbench::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;

const std::filesystem::path source = CUBICBENCH_SOURCE_DIR;

class LeaderboardCommand : public FolderTest {};

TEST_F(LeaderboardCommand, ShowsWhatIsNamed) {
  const Answer search = ask("search tiny-llama --trials 10 --seeds 4 --searcher random,corner " +
                            ("--quiet --out " + path("mine")));
  ASSERT_EQ(search.code, 0) << search.err;
  const Answer only = ask("leaderboard --only --json " + path("mine") + " --out " + path("b.html"));
  ASSERT_EQ(only.code, 0) << only.err;
  const json board = json::parse(only.out).at("leaderboards");
  ASSERT_EQ(board.size(), 1U);
  EXPECT_EQ(board[0].at("searchers").size(), 2U);
  EXPECT_THAT(read("b.html"), HasSubstr("How to send an entry"));
  EXPECT_TRUE(std::filesystem::exists(path("score.svg")));

  const Answer beside = ask("leaderboard " + path("mine"));
  EXPECT_EQ(beside.code, 2);
  EXPECT_THAT(beside.err, HasSubstr("expected a problem that reference:"));
  const Answer nothing = ask("leaderboard --only");
  EXPECT_EQ(nothing.code, 2);
  EXPECT_THAT(nothing.err, HasSubstr("leaderboard: expected an ENTRY beside --only, got none"));
}

TEST_F(LeaderboardCommand, RefusesSearchersThatWereToldLaunchesFirst) {
  const std::string search = "search tiny-llama --trials 4 --quiet --searcher ";
  ASSERT_EQ(ask(search + "random --out " + path("first")).code, 0);
  ASSERT_EQ(ask(search + "tpe --warm-start " + path("first") + " --out " + path("warm")).code, 0);
  const Answer board = ask("leaderboard --only " + path("warm"));
  EXPECT_EQ(board.code, 2);
  EXPECT_THAT(board.err, HasSubstr("warm: expected a search that was told nothing before, got one "
                                   "with --warm-start"));
}

TEST_F(LeaderboardCommand, MadeThePageInTheDocumentation) {
  const Answer answer = ask("leaderboard --markdown " + path("leaderboard.md"));
  ASSERT_EQ(answer.code, 0) << answer.err;
  EXPECT_TRUE(read("leaderboard.md") == read_text(source / "docs/leaderboard.md"))
      << "docs/leaderboard.md is stale: `cubicbench leaderboard --markdown docs/leaderboard.md` "
         "makes it anew";
}

/// A list of numbers per study of a reference's problem.
constexpr const char* lists[] = {"score", "best_found", "failed_share", "gpu_hours"};

// What ships is what the program makes today, to the last digit, of the seeds that are tried.
TEST_F(LeaderboardCommand, ReferencesAreNotStale) {
  constexpr std::size_t seeds = 3;
  const Answer search =
      ask("search --suite standard --searcher random --seeds " + std::to_string(seeds) +
          " --telling bytes --quiet --out " + path("random"));
  ASSERT_EQ(search.code, 0) << search.err;
  const Answer exported =
      ask("export " + path("random") + " --format reference --out " + path("made"));
  ASSERT_EQ(exported.code, 0) << exported.err;
  const std::string stale =
      "results/searched/ is stale: `scripts/make_references.sh` makes it anew";
  const json made = json::parse(read("made/random.json"));
  const json shipped = json::parse(read_text(source / "results/searched/random.json"));
  ASSERT_EQ(made.at("problems").size(), shipped.at("problems").size()) << stale;
  for (std::size_t p = 0; p < made.at("problems").size(); ++p) {
    const json& now = made.at("problems")[p];
    const json& then = shipped.at("problems")[p];
    for (const char* key : {"scenario", "instance", "trials", "scenario_sha256", "truth_sha256"}) {
      EXPECT_EQ(now.at(key), then.at(key)) << stale;
    }
    for (const char* key : lists) {
      ASSERT_EQ(now.at(key).size(), seeds);
      ASSERT_EQ(then.at(key).size(), 100U);
      for (std::size_t s = 0; s < seeds; ++s) {
        EXPECT_EQ(now.at(key)[s].dump(), then.at(key)[s].dump()) << key << ": " << stale;
      }
    }
  }
}

TEST_F(LeaderboardCommand, ReferencesOfOneVersionAndTruthShipForEverySearcher) {
  const json random = json::parse(read_text(source / "results/searched/random.json"));
  for (const search::SearcherEntry& searcher : search::searchers()) {
    if (searcher.is_check) continue;
    SCOPED_TRACE(searcher.name);
    const json one = json::parse(
        read_text(source / "results/searched" / (std::string(searcher.name) + ".json")));
    EXPECT_EQ(one.at("version"), random.at("version"));
    EXPECT_EQ(one.at("telling"), "bytes");
    ASSERT_EQ(one.at("problems").size(), random.at("problems").size());
    for (std::size_t p = 0; p < one.at("problems").size(); ++p) {
      EXPECT_EQ(one.at("problems")[p].at("truth_sha256"),
                random.at("problems")[p].at("truth_sha256"));
    }
  }
}

// Of another truth they are refused, with the command that makes them anew.
TEST_F(LeaderboardCommand, ReferencesOfAnotherTruthAreRefused) {
  std::string text = read_text(source / "results/searched/random.json");
  const std::size_t at = text.find("\"truth_sha256\": \"") + 17;
  text[at] = text[at] == '0' ? '1' : '0';
  write("old.json", text);
  const Answer answer = ask("compare reference:" + path("old.json") + " reference:random");
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.err, HasSubstr("expected the truth_sha256 of reference:"));
  EXPECT_THAT(answer.err, HasSubstr("this makes it anew: cubicbench search --suite standard "
                                    "--searcher random --seeds 100 --telling bytes"));
}

}  // namespace
}  // namespace cubicbench::cli
