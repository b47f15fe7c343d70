#include "results/leaderboard/leaderboard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "results/document/markdown.h"
#include "results/leaderboard/board_document.h"
#include "support/input_error.h"
#include "tests/results/comparison/made_up_sides.h"

namespace cubicbench::results {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

ComparedSide entry(const std::string& searcher, const std::vector<std::vector<double>>& scores) {
  ComparedSide side = made_up_side("out/" + searcher, scores);
  side.searcher = searcher;
  return side;
}

/// On problem "a" the order is left, middle, right; on "b" left and middle are equal.
std::vector<ComparedSide> three() {
  return {entry("right", {{0.1, 0.3}, {0.1, 0.1}}), entry("left", {{0.9, 0.9}, {0.5, 0.7}}),
          entry("middle", {{0.5, 0.5}, {0.6, 0.6}})};
}

TEST(Leaderboard, OrdersByTheMeanOverProblemsOfTheMeanOverSeeds) {
  const Leaderboard board = leaderboard_of(three());
  ASSERT_EQ(board.rows.size(), 3U);
  EXPECT_EQ(board.rows[0].searcher, "left");
  EXPECT_EQ(board.rows[1].searcher, "middle");
  EXPECT_EQ(board.rows[2].searcher, "right");
  EXPECT_NEAR(board.rows[0].score, 0.75, 1e-15);
  EXPECT_NEAR(board.rows[2].score, 0.15, 1e-15);
  EXPECT_THAT(board.rows[2].scores, ElementsAre(DoubleNear(0.2, 1e-15), DoubleNear(0.1, 1e-15)));
  EXPECT_EQ(board.rows[0].seeds, 2);
  EXPECT_EQ(board.rows[0].failed_share, 0.5);
  EXPECT_NEAR(board.rows[0].lost_to_noise, 0.1, 1e-15);
  EXPECT_THAT(board.rows[1].curve, testing::Each(DoubleNear(0.55, 1e-15)));
  EXPECT_LE(board.rows[0].interval.low, 0.75);
  EXPECT_GE(board.rows[0].interval.high, 0.75);
}

// Ranks 1, 2, 3 on "a" and 1.5, 1.5, 3 on "b".
TEST(Leaderboard, RanksBySharesOfTies) {
  const Leaderboard board = leaderboard_of(three());
  EXPECT_EQ(board.rows[0].rank, 1.25);
  EXPECT_EQ(board.rows[1].rank, 1.75);
  EXPECT_EQ(board.rows[2].rank, 3.0);
  // 2.343 sqrt(3 * 4 / (6 * 2)) [Demsar06, table 5].
  EXPECT_NEAR(board.critical_difference, 2.343, 1e-3);
  EXPECT_TRUE(board.near_the_best(board.rows[2]));
}

TEST(Leaderboard, OfOneEntryHasNoRanks) {
  const Leaderboard board = leaderboard_of({three().front()});
  EXPECT_EQ(board.rows.front().rank, std::nullopt);
  EXPECT_EQ(board.friedman, std::nullopt);
}

// The geometric mean, so that problems on many GPUs do not decide alone.
TEST(Leaderboard, WeighsProblemsAlikeInGpuHours) {
  ComparedSide side = three().front();
  for (auto& [seed, numbers] : side.problems[1].seeds) numbers.gpu_hours = 400.0;
  EXPECT_NEAR(leaderboard_of({side}).rows.front().gpu_hours, 200.0, 1e-12);
}

TEST(Leaderboard, NamesTheEntryWhereASearcherComesTwice) {
  std::vector<ComparedSide> entries = three();
  entries[2].searcher = "left";
  entries[2].name = "out/mine";
  EXPECT_EQ(leaderboard_of(entries).rows[1].searcher, "left (out/mine)");
}

TEST(Leaderboard, RefusesEntriesOfOtherProblems) {
  const auto refusal = [](const ComparedSide& other) -> std::string {
    try {
      leaderboard_of({three().front(), other});
    } catch (const support::InputError& error) {
      return error.what();
    }
    return "";
  };
  ComparedSide fewer = three()[1];
  fewer.problems.pop_back();
  EXPECT_THAT(refusal(fewer),
              HasSubstr("out/left: expected the 2 problems of out/right, got 1 of them"));
  ComparedSide more = three()[1];
  more.problems.push_back(more.problems.back());
  more.problems.back().scenario = "c";
  EXPECT_THAT(refusal(more), HasSubstr("got 2 of them and others"));
  ComparedSide stale = three()[1];
  stale.problems[1].truth_sha256 = "x";
  EXPECT_THAT(refusal(stale), HasSubstr("this makes it anew: cubicbench search a b"));
}

TEST(Leaderboard, IsATableAndJson) {
  std::vector<ComparedSide> bare = three();
  for (ComparedSide& side : bare) side.start = "none";
  const std::vector<Leaderboard> boards{leaderboard_of(three()), leaderboard_of(bare)};
  const std::string text = markdown_text(board_document(boards));
  EXPECT_THAT(text, HasSubstr("Over 2 problems left closes 75.0 % of the gap"));
  EXPECT_THAT(text, HasSubstr("| middle | 0.550 | 0.500 to 0.600 | 1.8 | 50.0 % | 100 |"));
  EXPECT_THAT(text, HasSubstr("## Without the baseline"));
  const auto json = board_json(boards);
  ASSERT_EQ(json.at("leaderboards").size(), 2U);
  const auto& first = json.at("leaderboards")[0];
  EXPECT_EQ(first.at("start"), "baseline");
  EXPECT_EQ(first.at("searchers")[0].at("searcher"), "left");
  EXPECT_EQ(first.at("searchers")[1].at("mean_rank"), 1.75);
  EXPECT_EQ(first.at("searchers")[0].at("milliseconds_per_launch"), nullptr);
  EXPECT_NEAR(first.at("friedman").at("critical_difference").get<double>(), 2.343, 1e-3);
}

}  // namespace
}  // namespace cubicbench::results
