#include "results/searches/search_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/results/search_folder.h"
#include "tests/temporary_folder.h"

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

/// Values from 0 to 40, evenly: the median is 20.
GivenEnumeration even_space(std::int64_t instance) {
  datasets::Enumeration space;
  space.scenario = "small";
  space.scenario_sha256 = WrittenStudy{}.scenario_sha256;
  space.truth_sha256 = WrittenStudy{}.truth_sha256;
  space.instance = instance;
  space.configurations = datasets::quantile_count;
  for (std::size_t i = 0; i < datasets::quantile_count; ++i) {
    space.quantiles.push_back(static_cast<double>(i) * 40.0 / 4096.0);
  }
  space.optimum =
      datasets::Optimum{.value = 40.0, .configs = {}, .count = 1, .certified = true, .bound = 40.0};
  space.best_of_k.push_back({1, 20.0, 20.0});
  return {.space = space, .file = "small.json"};
}

/// The table of one study on each of three instances; the spaces of `known` ones are known.
std::string table_of(const std::vector<std::int64_t>& known) {
  const TemporaryFolder folder;
  search::SearchResult result;
  for (int instance = 0; instance < 3; ++instance) {
    const WrittenStudy written{
        .scenario = "small", .instance = instance, .launches = {{.value = 30.0, .truth = 30.0}}};
    write_study(folder.path(), std::to_string(instance), written);
    result.studies.push_back(study("random", 0, 0, 30.0));
    result.studies.back().instance = instance;
  }
  std::vector<GivenEnumeration> given;
  for (const std::int64_t instance : known) given.push_back(even_space(instance));
  const std::string text =
      search_table(plan(scenarios::Direction::maximize), result,
                   SearchJudgement(folder.path(), KnownSpaces(std::move(given))));
  std::string line = text;
  std::ranges::replace(line, '\n', ' ');  // wherever paragraphs are broken
  return line;
}

TEST(SearchText, SaysOfWhichStudiesRegretIs) {
  const std::string all = table_of({0, 1, 2});
  EXPECT_THAT(all, testing::HasSubstr("Regret is the mean over the studies, of the"));
  EXPECT_THAT(all, testing::HasSubstr("0 is the optimum of the study's instance, 1 the median"));
  EXPECT_THAT(all, testing::Not(testing::HasSubstr("not known")));
  const std::string one = table_of({1});
  EXPECT_THAT(one, testing::HasSubstr("Regret is the mean over 1 of 3 studies, of the"));
  EXPECT_THAT(one, testing::HasSubstr("0 is the optimum (40.0), 1 the median of what runs (20.0), "
                                      "both of instance 1"));
  EXPECT_THAT(one,
              testing::HasSubstr("There is no regret of instances 0, 2. The optimum of small"));
  const std::string none = table_of({});
  EXPECT_THAT(none, testing::HasSubstr("There is no regret of instances 0, 1, 2. The optimum"));
  EXPECT_THAT(none, testing::Not(testing::HasSubstr("Regret is")));
}

}  // namespace
}  // namespace cubicbench::results
