#include "results/search_text.h"

#include <gtest/gtest.h>

namespace cubicbench::results {
namespace {

search::StudySummary study(const char* searcher, std::int64_t seed, std::int64_t failed,
                           std::optional<double> best) {
  search::StudySummary summary;
  summary.scenario = "small";
  summary.searcher = searcher;
  summary.seed = seed;
  summary.trials = 10;
  summary.failed = failed;
  summary.cost_gpu_hours = 2.5;
  if (best) summary.best = search::BestTrial{.trial = 1, .value = *best, .config = {}};
  return summary;
}

search::SearchPlan plan(scenarios::Direction direction) {
  search::SearchPlan plan;
  plan.scenarios.emplace_back();
  plan.scenarios.back().name = "small";
  plan.scenarios.back().objective.direction = direction;
  for (const char* name : {"random", "lost"}) {
    plan.searchers.push_back({.text = name, .name = name, .options = {}});
  }
  return plan;
}

// Random: bests 4 and 8, median 6, 3 of 20 launches failed, 5 GPU-hours. The other never succeeds.
search::SearchResult result() {
  search::SearchResult result;
  result.studies = {study("random", 0, 1, 8.0), study("random", 1, 2, 4.0),
                    study("lost", 0, 10, std::nullopt), study("lost", 1, 10, std::nullopt)};
  return result;
}

TEST(SearchText, HasALineASearcher) {
  EXPECT_EQ(search_text(plan(scenarios::Direction::maximize), result(), "out/mine"),
            "small: tokens_per_s, greater is better\n"
            "SEARCHER  STUDIES  LAUNCHES   FAILED  MEDIAN BEST  BEST  GPU-HOURS\n"
            "random          2        20   15.0 %         6.00  8.00        5.0\n"
            "lost            2        20  100.0 %         none  none        5.0\n"
            "\n"
            "The journals are in out/mine\n"
            "Next: cubicbench report out/mine --out page.html\n");
}

TEST(SearchText, GroupsManyGpuHours) {
  search::SearchResult many = result();
  many.studies[0].cost_gpu_hours = 12'340.2;  // 12,342.7 with the other study's 2.5
  EXPECT_NE(search_table(plan(scenarios::Direction::maximize), many).find("  8.00     12,343\n"),
            std::string::npos);
}

TEST(SearchText, TheBestIsTheLeastWhereLessIsBetter) {
  const std::string text = search_table(plan(scenarios::Direction::minimize), result());
  EXPECT_NE(text.find("small: tokens_per_s, less is better\n"), std::string::npos);
  EXPECT_NE(text.find("15.0 %         6.00  4.00        5.0\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace cubicbench::results
