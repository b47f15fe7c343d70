#include "results/landscape/landscape_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "results/document/html.h"
#include "results/document/markdown.h"
#include "scenarios/readers/scenario_reader.h"
#include "tests/results/page_text.h"
#include "tests/results/printed_cell.h"
#include "tests/results/well_formed.h"

namespace cubicbench::results {
namespace {

using testing::HasSubstr;
using Json = nlohmann::ordered_json;
using Rows = std::vector<std::vector<Cell>>;

/// Ten rows of twenty configurations, six of which run.
AskedLandscape example() {
  AskedLandscape of{{.scenario = scenarios::read_scenario("tiny-gpt", {}),
                     .truth_sha256 = "ab",
                     .baseline = {.value = 4.0},
                     .landscape = {}},
                    {.scenario = "tiny-gpt", .instance = 3}};
  of.landscape.configurations = 20;
  of.landscape.rows = 10;
  of.landscape.ends = {6, 1, 3, 0, 0, 0};
  of.landscape.quantiles = {1.0, 1.5, 2.0, 3.0, 4.0};
  of.landscape.best_drawn = 5.0;
  of.landscape.share_better = 0.125;
  of.landscape.best_known = datasets::Summit{.number = 0, .value = 8.0, .evaluations = 40};
  of.landscape.climbed = 30;
  of.landscape.log_variance = 0.75;
  of.landscape.total_rows = 5;
  of.landscape.importance = {
      {.name = "a", .levels = 2, .main = 0.25, .total = 0.5, .total_error = 0.125},
      {.name = "b", .levels = 3, .main = 0.625, .total = 0.75},
      {.name = "c", .levels = 1}};
  return of;
}

std::vector<Table> tables_of(std::vector<AskedLandscape> landscapes) {
  std::vector<Table> tables;
  for (const Block& block : landscape_document(landscapes).blocks) {
    if (!includes(block.media, Media::markdown)) continue;
    if (const auto* const table = std::get_if<Table>(&block.content)) tables.push_back(*table);
  }
  return tables;
}

TEST(LandscapeDocument, TablesHoldValuesAgainstTheMedian) {
  const std::vector<Table> tables = tables_of({example()});
  ASSERT_EQ(tables.size(), 3U);
  EXPECT_EQ(tables[0].rows, (Rows{{"ok", std::uint64_t{6}, 0.6},
                                  {"oom_init", std::uint64_t{1}, 0.1},
                                  {"oom_late", std::uint64_t{3}, 0.3}}));
  EXPECT_EQ(tables[1].rows, (Rows{{"5 % are below", "1.00 tokens/s", 0.5},
                                  {"25 % are below", "1.50 tokens/s", 0.75},
                                  {"median", "2.00 tokens/s", 1.0},
                                  {"75 % are below", "3.00 tokens/s", 1.5},
                                  {"95 % are below", "4.00 tokens/s", 2.0},
                                  {"baseline", "4.00 tokens/s", 2.0},
                                  {"best drawn", "5.00 tokens/s", 2.5},
                                  {"best known", "8.00 tokens/s", 4.0}}));
}

TEST(LandscapeDocument, ParametersComeByTheirMainEffect) {
  EXPECT_EQ(chosen(tables_of({example()})[2], {"name", "levels", "main", "total"}).rows,
            (Rows{{"b", std::size_t{3}, 0.625, 0.75},
                  {"a", std::size_t{2}, 0.25, 0.5},
                  {"c", std::size_t{1}, Cell(), Cell()}}));
}

TEST(LandscapeDocument, SeveralAreComparedFirst) {
  AskedLandscape least = example();
  least.scenario.objective.direction = scenarios::Direction::minimize;
  least.landscape.share_better.reset();
  least.baseline = {.reason = scenarios::Reason::oom_late};
  const std::vector<Table> tables = tables_of({example(), least});
  EXPECT_EQ(
      tables[0].rows,
      (Rows{{"tiny-gpt, instance 3", std::uint64_t{20}, 0.6, 0.125, 2.0, 4.0, "b 62.5 %"},
            {"tiny-gpt, instance 3", std::uint64_t{20}, 0.6, Cell(), Cell(), 0.25, "b 62.5 %"}}));
}

TEST(LandscapeDocument, SentencesSayTheSame) {
  AskedLandscape of = example();
  const auto text_of = [&] {
    return markdown_text(landscape_document(std::vector<AskedLandscape>{of}));
  };
  const std::string text = text_of();
  EXPECT_THAT(text, HasSubstr("tiny-gpt, instance 3: 10 of 20 configurations, drawn uniformly. "));
  EXPECT_THAT(text, HasSubstr("Better than the baseline: 12.5 % of those that run.\n"));
  EXPECT_THAT(text, HasSubstr("Largest main effect: b, 62.5 % of the variance"));
  EXPECT_THAT(text, HasSubstr("A single parameter explains more than half."));
  EXPECT_THAT(text,
              HasSubstr("Best known: 8.00 tokens/s, 2.00 x the baseline, 4.00 x the median; 40 "
                        "evaluations (10 rows, 30 to climb"));
  EXPECT_THAT(text, HasSubstr("\n    cubicbench simulate tiny-gpt --instance 3 --set "));
  of.landscape.importance[1].main = 0.5;
  EXPECT_THAT(text_of(), HasSubstr("No single parameter explains more"));
  of.baseline.reason = scenarios::Reason::timeout;
  EXPECT_THAT(text_of(), HasSubstr("The baseline does not run: timeout.\n"));
  EXPECT_THAT(text_of(), HasSubstr("Best known: 8.00 tokens/s, 4.00 x the median;"));
}

TEST(LandscapeDocument, APageOpensWithTheAnswerAndTheValues) {
  const std::string page =
      without_tooltips(page_of(landscape_document(std::vector<AskedLandscape>{example()},
                                                  "cubicbench landscape tiny-gpt --out DIR"))
                           .html);
  const std::size_t answer = page.find(
      "<p>The best known configuration has 8.00 tokens/s, 2.00 x the baseline; 60.0\xC2\xA0% of "
      "all "
      "configurations run, and 12.5\xC2\xA0% of those beat the baseline. The parameter that "
      "matters "
      "most is b, with 62.5\xC2\xA0% of the variance of the objective&#39;s logarithm.</p>");
  const std::size_t values = page.find("<td>best known</td>");
  const std::size_t parameters = page.find("<section id=\"tiny-gpt-parameters\">");
  ASSERT_NE(answer, std::string::npos) << page;
  ASSERT_NE(parameters, std::string::npos);
  EXPECT_LT(answer, values);
  EXPECT_LT(values, parameters);
  EXPECT_EQ(page.find("<td>best known</td>", values + 1), std::string::npos);
  EXPECT_THAT(page, HasSubstr("<li><a href=\"#tiny-gpt-outcomes\">What runs</a></li>"));
  EXPECT_THAT(page, HasSubstr("<pre>cubicbench landscape tiny-gpt --out DIR</pre>"));
  EXPECT_EQ(xml_problem(page), "");
}

TEST(LandscapeJson, HasEveryNumber) {
  Json of = landscape_json(example());
  EXPECT_EQ(of["status"].dump(),
            R"({"ok":{"rows":6,"share":0.6},"oom_init":{"rows":1,"share":0.1},)"
            R"("oom_late":{"rows":3,"share":0.3},"timeout":{"rows":0,"share":0.0},)"
            R"("invalid":{"rows":0,"share":0.0}})");
  EXPECT_EQ(of["running"].dump(), R"({"p5":1.0,"p25":1.5,"p50":2.0,"p75":3.0,"p95":4.0})");
  EXPECT_EQ(of["baseline"].dump(),
            R"({"status":"ok","value":4.0,"over_median":2.0,"share_better":0.125})");
  of["best_known"].erase("config");
  EXPECT_EQ(of["best_known"].dump(),
            R"({"value":8.0,"over_baseline":2.0,"over_median":4.0,"over_best_drawn":1.6,)"
            R"("best_drawn":5.0,"evaluations":40,"climb_evaluations":30})");
  EXPECT_EQ(of["importance"].dump(),
            R"([{"name":"a","levels":2,"main":0.25,"total":0.5,"total_standard_error":0.125},)"
            R"({"name":"b","levels":3,"main":0.625,"total":0.75,"total_standard_error":null},)"
            R"({"name":"c","levels":1,"main":null,"total":null,"total_standard_error":null}])");
  EXPECT_EQ(of["importance_max"].dump(), R"({"name":"b","main":0.625,"over_half":true})");
  EXPECT_EQ(of["log_variance"], 0.75);
  EXPECT_EQ(of["total_rows"], 5);
  EXPECT_EQ(of["exhaustive"], false);
}

TEST(LandscapeJson, RatiosTurnRoundWhereLessIsBetter) {
  AskedLandscape of = example();
  of.scenario.objective.direction = scenarios::Direction::minimize;
  EXPECT_EQ(landscape_json(of)["best_known"]["over_baseline"], 0.5);
  EXPECT_EQ(landscape_json(of)["baseline"]["over_median"], 0.5);
}

TEST(LandscapeJson, IsTheSameToTheByteOnAnyThreads) {
  for (const std::uint64_t instance : {0U, 3U}) {
    const auto text_on = [&](int threads) {
      const scenarios::Scenario scenario = scenarios::read_scenario("tiny-gpt", {});
      return landscape_json({datasets::scenario_landscape(scenario, instance, 1'000, threads),
                             {.scenario = "tiny-gpt", .instance = instance}})
          .dump();
    };
    EXPECT_EQ(text_on(2), text_on(1));
    EXPECT_EQ(text_on(8), text_on(1));
  }
}

}  // namespace
}  // namespace cubicbench::results
