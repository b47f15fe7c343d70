#include "results/searches/search_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "results/document/terminal.h"
#include "support/json/json_document.h"
#include "tests/search/written_search.h"
#include "tests/temporary_folder.h"

namespace cubicbench::results {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// Ten launches with one success: `best`, or none of 0.
search::WrittenStudy study(const char* searcher, int seed, double best, double cost = 0.25) {
  search::WrittenStudy written{
      .scenario = "small", .searcher = searcher, .seed = seed, .launches = {}};
  for (int i = 0; i < 10; ++i) {
    written.launches.push_back({.value = i == 4 ? best : 0.0, .reason = "infra", .cost = cost});
  }
  return written;
}

/// Random: bests 4 and 8, 18 of 20 launches failed, 5 GPU-hours. The other never succeeds.
Document document_of(scenarios::Direction direction, double cost = 0.25) {
  const TemporaryFolder folder;
  int file = 0;
  for (search::WrittenStudy written : {study("random", 0, 8.0), study("random", 1, 4.0, cost),
                                       study("lost", 0, 0.0), study("lost", 1, 0.0)}) {
    written.objective.direction = direction;
    write_study(folder.path(), std::to_string(file++), written);
  }
  return search_document(judge_search(folder.path()), "out/mi ne");
}

TEST(SearchDocument, HasARowPerSearcherInTheOrderAskedFor) {
  EXPECT_THAT(terminal_text(document_of(scenarios::Direction::maximize)),
              testing::StartsWith("small: tokens_per_s, greater is better\n"
                                  "                                     median\n"
                                  "searcher  studies  launches  failed    best  best  GPU-hours\n"
                                  "random          2        20     90%    6.00  8.00       5.00\n"
                                  "lost            2        20    100%       -     -       5.00\n"
                                  "\n"
                                  "The optimum of small is not known here"));
}

TEST(SearchDocument, SaysWhatIsNext) {
  EXPECT_THAT(terminal_text(document_of(scenarios::Direction::maximize)),
              testing::EndsWith("\n\nThe journals are in out/mi ne. Next:\n"
                                "  cubicbench report 'out/mi ne' --out page.html\n"));
}

TEST(SearchDocument, TheBestIsTheLeastWhereLessIsBetter) {
  const std::string text = terminal_text(document_of(scenarios::Direction::minimize, 1234.0));
  EXPECT_THAT(text, HasSubstr("small: tokens_per_s, less is better\n"));
  EXPECT_THAT(text, HasSubstr("90%    6.00  4.00    12.34 k\n"));
}

/// Values from 0 to 40, evenly: the median is 20.
GivenEnumeration even_space(std::int64_t instance) {
  datasets::Enumeration space;
  space.scenario = "small";
  space.scenario_sha256 = search::WrittenStudy{}.scenario_sha256;
  space.truth_sha256 = search::WrittenStudy{}.truth_sha256;
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

/// The text on one study on each of three instances; the spaces of `known` ones are known. The
/// recommendation is half-way between the median and the optimum.
std::string text_of(const std::vector<std::int64_t>& known) {
  const TemporaryFolder folder;
  for (int instance = 0; instance < 3; ++instance) {
    const search::WrittenStudy written{
        .scenario = "small", .instance = instance, .launches = {{.value = 30.0, .truth = 30.0}}};
    write_study(folder.path(), std::to_string(instance), written);
  }
  GivenSpaces given;
  for (const std::int64_t instance : known) given.push_back(even_space(instance));
  std::string text = terminal_text(search_document(judge_search(folder.path(), given), "out"));
  std::ranges::replace(text, '\n', ' ');  // wherever paragraphs are broken
  return text;
}

TEST(SearchDocument, TellsWhichStudiesHaveRegret) {
  const std::string all = text_of({0, 1, 2});
  EXPECT_THAT(all, HasSubstr("Regret is the mean over the studies, of the"));
  EXPECT_THAT(all, HasSubstr("0 is the optimum of the study's instance, 1 the median"));
  EXPECT_THAT(all, HasSubstr("random search reaches 1.000 on average."));
  EXPECT_THAT(all, HasSubstr(" 30.0  30.0       3.00  0.5000 "));
  EXPECT_THAT(all, Not(HasSubstr("not known")));
  const std::string one = text_of({1});
  EXPECT_THAT(one, HasSubstr("Regret is the mean over 1 of 3 studies, of the"));
  EXPECT_THAT(one, HasSubstr("0 is the optimum (40.0), 1 the median of what runs (20.0), both of "
                             "instance 1"));
  EXPECT_THAT(one, HasSubstr("There is no regret of instances 0, 2. The optimum of small"));
  const std::string none = text_of({});
  EXPECT_THAT(none, HasSubstr("There is no regret of instances 0, 1, 2. The optimum"));
  EXPECT_THAT(none, Not(HasSubstr("Regret is")));
}

TEST(SearchJson, HasTheKeysOfTheContract) {
  search::SearchResult result;
  search::StudySummary study{.study = "tiny.0.random.1",
                             .scenario = "tiny",
                             .instance = 0,
                             .searcher = "random",
                             .seed = 1,
                             .trials = 12,
                             .failed = 3,
                             .best = search::BestTrial{.trial = 4,
                                                       .value = 1.5,
                                                       .config = {{"tensor_parallel", "8"},
                                                                  {"compile", "true"},
                                                                  {"sharding", "\"zero1\""}}},
                             .cost_gpu_hours = 0.25};
  result.studies.push_back(study);
  study.best.reset();
  study.seed = 2;
  result.studies.push_back(study);
  nlohmann::ordered_json document = search_json(result, {});
  EXPECT_EQ(document["schema"], "cubicbench.search/1");
  EXPECT_EQ(support::line_text(document["studies"]),
            R"([{"study":"tiny.0.random.1","scenario":"tiny","instance":0,"searcher":"random",)"
            R"("seed":1,"trials":12,"failed":3,"best":{"trial":4,"value":1.5,"config":)"
            R"({"tensor_parallel":8,"compile":true,"sharding":"zero1"}},"cost_gpu_hours":0.25},)"
            R"({"study":"tiny.0.random.1","scenario":"tiny","instance":0,"searcher":"random",)"
            R"("seed":2,"trials":12,"failed":3,"best":null,"cost_gpu_hours":0.25}])"
            "\n");
}

TEST(SearchJson, HasTheEndOfStudiesWithJournals) {
  const TemporaryFolder folder;
  search::WrittenStudy written{.scenario = "small", .launches = {{.value = 30.0, .truth = 35.0}}};
  written.launches.push_back({.value = 0.0, .reason = "oom_late", .cost = 0.5});
  write_study(folder.path(), "a", written);
  search::SearchResult result;
  result.studies.push_back({.study = "s", .scenario = "small", .searcher = "random"});
  GivenEnumeration space = even_space(0);
  space.space.best_of_k.push_back({2, 30.0, 30.0});
  const auto with = search_json(result, judge_search(folder.path(), {space}))["studies"][0];
  EXPECT_EQ(support::line_text(with["failures"]),
            "{\"oom_late\":{\"launches\":1,\"cost_gpu_hours\":0.5}}\n");
  std::vector<std::string> keys;
  for (const auto& [key, value] : with.items()) keys.push_back(key);
  keys.erase(keys.begin(), keys.begin() + 9);
  EXPECT_THAT(keys, ElementsAre("failures", "duplicates", "true_value", "gain_over_baseline",
                                "regret", "observed_regret", "random_regret"));
  EXPECT_EQ(with["duplicates"], 0);
  EXPECT_EQ(with["true_value"], 35.0);
  EXPECT_TRUE(with["gain_over_baseline"].is_null());
  EXPECT_EQ(with["regret"], 0.25);
  EXPECT_EQ(with["observed_regret"], 0.5);
  EXPECT_EQ(with["random_regret"], 0.5);
}

}  // namespace
}  // namespace cubicbench::results
