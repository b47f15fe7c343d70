#include "results/enumeration/enumeration_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "results/document/html.h"
#include "results/document/markdown.h"
#include "results/enumeration/enumeration_figures.h"
#include "tests/results/page_text.h"
#include "tests/results/printed_cell.h"
#include "tests/results/well_formed.h"

namespace cubicbench::results {
namespace {

using datasets::Enumeration;
using testing::HasSubstr;
using testing::Not;
using Rows = std::vector<std::vector<Cell>>;

/// Of 4,096 configurations that run, number i is worth i; four fail.
Enumeration example() {
  Enumeration all{
      .scenario = "tiny",
      .scenario_sha256 = "ab",
      .truth_sha256 = "cd",
      .configurations = 10'000,
      .rejected_by = {{"fits", 5000}},
      .failures = {{scenarios::Reason::oom_late, 4}},
      .optimum =
          datasets::Optimum{.value = 4096.0,
                            .configs = {{{"tensor_parallel", "4"}, {"schedule", "\"1f1b\""}}},
                            .count = 2,
                            .bound = 4096.0},
      .baseline = {.value = 2048.0, .share_better = 0.25},
      .quantiles = {},
      .best_of_k = {{.k = 1, .with_replacement = 1.0, .without_replacement = 1024.0}},
      .objective = {.metric = scenarios::Metric::samples_per_s},
      .valued = 10'000};
  for (std::size_t i = 0; i < datasets::quantile_count; ++i) {
    all.quantiles.push_back(static_cast<double>(i));
  }
  return all;
}

AskedProblem asked() {
  return {.scenario = "my tiny.json",
          .instance = 3,
          .salt = "salt",
          .sets = {"cluster.gpus=8", "tensor_parallel=1"}};
}

std::vector<Table> tables_of(const Enumeration& of) {
  std::vector<Table> tables;
  for (const Block& block : enumeration_document(of, asked(), false).blocks) {
    const auto* const table = std::get_if<Table>(&block.content);
    if (!includes(block.media, Media::terminal)) continue;
    if (table != nullptr && !table->rows.empty()) tables.push_back(*table);
  }
  return tables;
}

TEST(EnumerationDocument, CountsOutcomesAndWhatIsRejected) {
  const std::vector<Table> tables = tables_of(example());
  ASSERT_EQ(tables.size(), 3U);
  EXPECT_EQ(tables[0].rows, (Rows{{"runs", std::uint64_t{9996}, "100.0 %"},
                                  {"oom_late", std::uint64_t{4}, "0.040 %"}}));
  EXPECT_EQ(tables[1].rows, (Rows{{"fits", std::uint64_t{5000}}}));
}

TEST(EnumerationDocument, HoldsPlacesInTheDistributionAgainstTheOptimum) {
  const Table values = tables_of(example())[2];
  EXPECT_EQ(values.columns[2].heading, "of the optimum");
  EXPECT_EQ(values.rows, (Rows{{"optimum", "4.096 k samples/s", "1.0000"},
                               {"baseline", "2.048 k samples/s", "0.5000"},
                               {"1 % of those that run are better", "4.055 k samples/s", "0.9900"},
                               {"10 % of those that run are better", "3.686 k samples/s", "0.8999"},
                               {"25 % of those that run are better", "3.072 k samples/s", "0.7500"},
                               {"median of those that run", "2.048 k samples/s", "0.5000"},
                               {"75 % of those that run are better", "1.024 k samples/s", "0.2500"},
                               {"90 % of those that run are better", "410 samples/s", "0.1001"},
                               {"best of 1 drawn at random", "1.024 k samples/s", "0.2500"}}));
}

TEST(EnumerationDocument, LessIsBetterWhereTheObjectiveSaysSo) {
  Enumeration times = example();
  times.objective = {.metric = scenarios::Metric::step_time_s,
                     .direction = scenarios::Direction::minimize};
  times.optimum->value = 1024.0;
  const Rows rows = tables_of(times)[2].rows;
  EXPECT_EQ(rows[1], (std::vector<Cell>{"baseline", "2048.0 s a step", "0.5000"}));
  EXPECT_EQ(rows[2][1], Cell("41.00 s a step"));  // a hundredth is faster
  times.quantiles.assign(datasets::quantile_count, 0.0);
  EXPECT_EQ(tables_of(times)[2].rows[2][2], Cell());  // a ratio to nothing
}

TEST(EnumerationDocument, TellsHowToSimulateTheOptimum) {
  const std::string text = markdown_text(enumeration_document(example(), asked(), false));
  EXPECT_THAT(text, HasSubstr("tiny: all 10,000 configurations evaluated. Objective: maximize"));
  EXPECT_THAT(text, HasSubstr("Better than the baseline: 25.0 % of all.\n"));
  EXPECT_THAT(text,
              HasSubstr("Optimum, certified: 4.096 k samples/s, reached by 2 "
                        "configurations.\n\n    cubicbench simulate 'my tiny.json' --instance 3 "
                        "--salt salt --set cluster.gpus=8 --set tensor_parallel=4 --set "
                        "schedule=1f1b\n"));
  for (const bool measured : {false, true}) {
    const std::string settings = markdown_text(enumeration_document(
        example(), measured ? std::optional(asked()) : std::nullopt, measured));
    EXPECT_THAT(settings, HasSubstr("\n\ntensor_parallel 4, schedule 1f1b\n"));
    EXPECT_THAT(settings, Not(HasSubstr("cubicbench simulate")));
    EXPECT_EQ(settings.find("the mean over the measured runs") != std::string::npos, measured);
  }
}

TEST(EnumerationDocument, SaysWhatIsNotCertified) {
  Enumeration bounded = example();
  bounded.exhaustive = false;
  bounded.valued = 1234;
  bounded.failures.clear();
  bounded.quantiles.clear();
  bounded.best_of_k.clear();
  bounded.baseline.share_better.reset();
  bounded.optimum->certified = false;
  bounded.optimum->bound = 8192.0;
  const auto text_of = [&] { return markdown_text(enumeration_document(bounded, asked(), false)); };
  EXPECT_THAT(text_of(),
              HasSubstr("1,234 of 10,000 configurations evaluated, the others bounded."));
  EXPECT_THAT(text_of(), HasSubstr("none is above 8.192 k samples/s."));
  EXPECT_THAT(text_of(), HasSubstr("--all computes them.\n"));
  EXPECT_THAT(text_of(), Not(HasSubstr("Better than the baseline")));
  EXPECT_EQ(tables_of(bounded).size(), 2U);
  bounded.objective.direction = scenarios::Direction::minimize;
  EXPECT_THAT(text_of(), HasSubstr("none is below 8.192 k samples/s."));
  bounded.optimum = datasets::Optimum{
      .configs = {}, .certified = false, .bound = -std::numeric_limits<double>::infinity()};
  EXPECT_THAT(text_of(),
              HasSubstr("Nothing was found that runs; no bound on the others is known."));
  bounded.optimum.reset();
  EXPECT_THAT(text_of(), HasSubstr("\nNo configuration runs.\n"));
}

TEST(EnumerationDocument, SaysWhyTheBaselineHasNoPlace) {
  Enumeration of = example();
  of.baseline = {.value = {}, .share_better = {}};
  EXPECT_THAT(markdown_text(enumeration_document(of, asked(), false)),
              HasSubstr("\nThere is no baseline that runs.\n"));
  of.baseline.stated = false;
  const std::string text = markdown_text(enumeration_document(of, asked(), false));
  EXPECT_THAT(text, HasSubstr("\nThe table states no baseline.\n"));
  EXPECT_THAT(text, HasSubstr("measured runs"));
}

/// With the random curve of two draws and its bands.
Enumeration with_curve() {
  Enumeration all = example();
  all.best_of_k.front().without_quantiles = datasets::BestQuantiles{0.0, 512.0, 1536.0, 2048.0};
  all.best_of_k.push_back(
      {.k = 2,
       .with_replacement = 1.0,
       .without_replacement = 2048.0,
       .without_quantiles = datasets::BestQuantiles{512.0, 1024.0, 3072.0, 4000.0}});
  return all;
}

TEST(EnumerationPage, OpensWithItsResultAndOneTable) {
  Page page = page_of(enumeration_document(with_curve(), asked(), false, "cubicbench e <x>"));
  EXPECT_EQ(xml_problem(page.html), "");
  page.html = without_tooltips(page.html);
  const std::size_t result = page.html.find(
      "<p>Optimum, certified: 4.096 k samples/s, reached by 2 configurations: "
      "+100.0\xC2\xA0% against the baseline. 25.0\xC2\xA0% of all configurations beat the "
      "baseline, "
      "and the best of 2 random draws is 2.048 k samples/s on average.</p>");
  ASSERT_NE(result, std::string::npos);
  const std::size_t table = page.html.find("<td>median of those that run</td>");
  EXPECT_GT(table, result);
  EXPECT_EQ(page.html.find("<td>median of those that run</td>", table + 1), std::string::npos);
  EXPECT_LT(table, page.html.find("<section id=\"values\">"));
  EXPECT_THAT(page.html, HasSubstr("<pre>cubicbench e &lt;x&gt;</pre>"));
  std::vector<std::string> names;
  for (const PageFile& file : page.files) names.push_back(file.name);
  EXPECT_THAT(names, testing::ElementsAre("distribution.svg", "distribution.csv", "random.svg",
                                          "random.csv"));
  EXPECT_EQ(page.files[3].text,
            "k,mean,p05,p25,p75,p95\n1,1024,0,512,1536,2048\n2,2048,512,1024,3072,4000\n");
}

TEST(EnumerationPage, HasNoFiguresWhereNotAllWasValued) {
  Enumeration bounded = with_curve();
  bounded.quantiles.clear();
  bounded.best_of_k.clear();
  bounded.exhaustive = false;
  const Page page = page_of(enumeration_document(bounded, std::nullopt, false));
  EXPECT_TRUE(page.files.empty());
  EXPECT_EQ(xml_problem(page.html), "");
  EXPECT_THAT(page.html, Not(HasSubstr("How to make this again")));
}

TEST(EnumerationFigures, ShowTheBestToTheRightAndKnownLevels) {
  Enumeration times = with_curve();
  const Figure rates = distribution_drawing(times).figure;
  EXPECT_EQ(rates.y.label, "median samples/s");
  EXPECT_EQ(rates.series[0].points.back(), (FigurePoint{1.0, 4096.0}));
  ASSERT_EQ(rates.levels.size(), 3U);
  EXPECT_EQ(rates.levels[0].label, "optimum");
  EXPECT_EQ(rates.levels[1].y, 2048.0);
  times.objective.direction = scenarios::Direction::minimize;
  EXPECT_EQ(distribution_drawing(times).figure.series[0].points.front(),
            (FigurePoint{0.0, 4096.0}));
  const Figure random = random_drawing(with_curve()).figure;
  ASSERT_EQ(random.series.size(), 7U);  // two bands, each between two hairlines, and the mean
  EXPECT_EQ(random.series[0].points[1], (FigurePoint{2.0, 512.0, 4000.0}));
  EXPECT_EQ(random.series[1].label, "5 %");
  EXPECT_EQ(random.series[1].points[1], (FigurePoint{2.0, 512.0}));
  EXPECT_EQ(random.series[2].points[1], (FigurePoint{2.0, 4000.0}));
  EXPECT_EQ(random.series[3].points[1], (FigurePoint{2.0, 1024.0, 3072.0}));
  EXPECT_EQ(random.series[6].points[1], (FigurePoint{2.0, 2048.0}));
}

TEST(EnumerationFigures, CountInMillionsWhereValuesAreLarge) {
  Enumeration large = with_curve();
  large.optimum->value = 4e6;
  const Figure figure = distribution_drawing(large).figure;
  EXPECT_EQ(figure.y.label, "median samples/s, millions");
  EXPECT_EQ(figure.levels[0].y, 4.0);
}

}  // namespace
}  // namespace cubicbench::results
