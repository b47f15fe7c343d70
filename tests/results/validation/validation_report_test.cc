#include "results/validation/validation_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/validation/collective_figure.h"
#include "results/validation/error_figure.h"
#include "results/validation/time_figure.h"
#include "results/validation/validation_tables.h"
#include "support/input_error.h"
#include "tests/results/validation/made_up_validation.h"
#include "tests/results/well_formed.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::results {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(ValidationReport, IsWellFormedAndTheSameEachTime) {
  const Validation validation = made_up_validation();
  const Summaries summaries = made_up_summaries();
  const TemporaryFolder folder;
  const TemporaryFolder again;
  write_validation_report(validation, summaries, folder.path(), "validate <x> & y");
  write_validation_report(validation, summaries, again / "new", "validate <x> & y");
  const auto files = files_below(folder.path());
  EXPECT_EQ(files, files_below(again / "new"));
  const std::string& page = files.at("index.html");
  EXPECT_EQ(xml_problem(page), "");
  for (const char* const text :
       {"runs &lt;one&gt;", "a&amp;b", "validate &lt;x&gt; &amp; y --out DIR",
        "needs mixture_of_experts", "19.3 %", "model|8", "0.600", "matrix products 75.0 %",
        "Calculon", "7.40 %"}) {
    EXPECT_THAT(page, HasSubstr(text)) << text;
  }
  EXPECT_THAT(page, Not(HasSubstr(folder.path().string())));
  for (const char* const name :
       {"rows.csv", "skipped.csv", "summaries.csv", "groups.csv", "ladders.csv", "worst.csv",
        "hung.csv", "errors.svg", "errors.csv", "sizes.svg", "sizes.csv", "times-nccl.svg",
        "times-nccl.csv", "times-runs--one--0.svg", "times-runs--one--0.csv"}) {
    EXPECT_TRUE(files.contains(name)) << name;
    EXPECT_THAT(page, HasSubstr("href=\"" + std::string(name) + "\"")) << name;
  }
  EXPECT_THAT(files.at("groups.csv"), HasSubstr("\nruns <one>,model|8,5,0.6,0.8\n"));
  EXPECT_THAT(files.at("ladders.csv"), HasSubstr("\nruns <one>,layout,2,4,1,0\n"));
  EXPECT_THAT(files.at("rows.csv"), HasSubstr("\na&b,runs <one>,model|8,run,model|8,ok,ok,1,1.1,"));
  EXPECT_THAT(files.at("skipped.csv"), HasSubstr("\ns1,runs <one>,needs mixture_of_experts\n"));
  EXPECT_THAT(files.at("summaries.csv"), HasSubstr("\nsource,nccl,2,1,"));
}

TEST(ValidationReport, OfNothingSaysSo) {
  const TemporaryFolder folder;
  write_validation_report({}, {}, folder.path(), "");
  const std::string page = files_below(folder.path()).at("index.html");
  EXPECT_EQ(xml_problem(page), "");
  EXPECT_THAT(page, HasSubstr("No row of these tables is wanted."));
  for (const char* const id :
       {"sources", "times", "parts", "ranking", "memory", "collectives", "worst", "hung"}) {
    EXPECT_THAT(page, Not(HasSubstr("<section id=\"" + std::string(id) + "\""))) << id;
  }
  EXPECT_THAT(page, Not(HasSubstr(no_figure)));
}

/// Only the rows of one kind, with their summaries.
Validation only(bool collectives) {
  Validation validation = made_up_validation();
  std::erase_if(validation.rows, [&](const ValidatedRow& row) {
    return (row.kind == RowKind::collective) != collectives;
  });
  validation.skipped.clear();
  return validation;
}

TEST(ValidationReport, LeavesOutWhatHasNothingToSay) {
  for (const bool collectives : {false, true}) {
    SCOPED_TRACE(collectives);
    const Validation validation = only(collectives);
    const Summaries summaries = summaries_of(validation);
    const TemporaryFolder folder;
    write_validation_report(validation, summaries, folder.path(), "");
    const std::string page = files_below(folder.path()).at("index.html");
    EXPECT_EQ(xml_problem(page), "");
    const std::string text = validation_markdown(validation, summaries, {"made", false});
    for (const auto& [id, heading] : {std::pair{"sources", "## Step times by source"},
                                      {"ranking", "## Which run is faster"},
                                      {"memory", "## Memory"},
                                      {"worst", ""},
                                      {"hung", "## Slower than three times"}}) {
      const std::string section = "<section id=\"" + std::string(id) + "\"";
      EXPECT_EQ(page.find(section) == std::string::npos, collectives) << id;
      if (*heading != '\0') {
        EXPECT_EQ(text.find(heading) == std::string::npos, collectives) << heading;
      }
    }
    EXPECT_EQ(page.find("<section id=\"collectives\"") == std::string::npos, !collectives);
    EXPECT_EQ(text.find("\n## Collectives\n") == std::string::npos, !collectives);
  }
}

TEST(ValidationReport, FoldsGroupsBeyondTheFirst) {
  Validation validation;
  for (int group = 0; group < 27; ++group) {
    for (int i = 1; i <= 5; ++i) {
      validation.rows.push_back(
          made_up_run("r", "s", "g" + std::to_string(group), 1.0 * i, 1.0 * i));
    }
  }
  const TemporaryFolder folder;
  write_validation_report(validation, summaries_of(validation), folder.path(), "");
  const std::string page = files_below(folder.path()).at("index.html");
  EXPECT_EQ(xml_problem(page), "");
  const std::size_t fold = page.find("<summary>2 groups more</summary>");
  ASSERT_NE(fold, std::string::npos);
  EXPECT_LT(page.find(">g24<"), fold);
  EXPECT_GT(page.find(">g25<"), fold);
}

TEST(ValidationReport, SaysWhatCannotBeWritten) {
  EXPECT_THROW(write_validation_report({}, {}, "/proc/none/there", ""), support::OutputError);
}

TEST(TimeFigure, HasABandOfTenPercentAndEqualAxes) {
  const Validation validation = made_up_validation();
  const SourceRows source = by_source(validation).front();
  const Figure figure = time_figure(source, "t");
  ASSERT_EQ(figure.series.size(), 4U);  // band, diagonal, rows, hung
  EXPECT_EQ(figure.x.min, figure.y.min);
  EXPECT_EQ(figure.x.max, figure.y.max);
  const FigurePoint low = figure.series[0].points.front();
  EXPECT_EQ(low.x, figure.x.min);
  EXPECT_NEAR(low.y, 0.9 * low.x, 1e-15);
  EXPECT_NEAR(low.y_high, 1.1 * low.x, 1e-15);
  // The two rows of the ladder that ran are equal, so one of them is drawn.
  EXPECT_EQ(figure.series[2].points.size(), 5U);
  EXPECT_EQ(figure.series[3].points.size(), 1U);
  EXPECT_THAT(time_caption(source), HasSubstr("7 rows, of which "));
  EXPECT_THAT(time_caption(source), HasSubstr("1 slower than three times the simulation."));
  EXPECT_THAT(time_csv(source), HasSubstr("\nrun5,model|8,8,2,-0.75\n"));
}

TEST(TimeFigure, StaysSmallWithThousandsOfRows) {
  SourceRows source{.source = "many", .rows = {}};
  std::vector<ValidatedRow> rows;
  rows.reserve(5000);
  for (int i = 0; i < 5000; ++i) {
    const double time = 1.0 + 0.002 * i;
    rows.push_back(made_up_run("r", "many", "g", time, time * (i % 2 == 0 ? 1.05 : 0.8)));
  }
  for (const ValidatedRow& row : rows) source.rows.push_back(&row);
  // Two lines of marks, each through some 70 cells up and 70 across.
  EXPECT_LE(time_figure(source, "t").series[2].points.size(), 280U);
  EXPECT_GE(time_figure(source, "t").series[2].points.size(), 100U);
}

TEST(ErrorFigure, IsTheShareOfRowsBelowEachError) {
  const Validation validation = made_up_validation();
  const std::vector<SourceRows> sources = by_source(validation);
  const Figure figure = error_figure({sources.front()}, "e");
  ASSERT_EQ(figure.series.size(), 1U);
  const std::vector<FigurePoint>& line = figure.series[0].points;
  ASSERT_EQ(line.size(), 7U);   // 0, 0, 10, 10, 20, 20, 75 %
  EXPECT_EQ(line[0].x, 0.001);  // which stands for nothing
  EXPECT_NEAR(line[1].y, 2.0 / 7.0, 1e-15);
  EXPECT_NEAR(line[3].x, 0.1, 1e-15);
  EXPECT_EQ(line[6].x, 0.75);
  EXPECT_EQ(line[6].y, 1.0);
  EXPECT_THAT(error_csv(sources), HasSubstr("\nruns <one>,1,0.75\n"));
}

TEST(CollectiveFigure, HasAMedianAnOctave) {
  Validation validation = made_up_validation();
  validation.rows.push_back(made_up_collective("c3", 1536.0, 1e-5, 4e-5));
  const Figure figure = collective_figure(validation, "c");
  ASSERT_EQ(figure.series.size(), 1U);
  ASSERT_EQ(figure.series[0].points.size(), 2U);
  EXPECT_EQ(figure.series[0].points[0].x, 1024.0);
  EXPECT_NEAR(figure.series[0].points[0].y, 3.0, 1e-12);  // of 2 and 4
  EXPECT_EQ(figure.series[0].points[1].x, 1048576.0);
  EXPECT_THAT(collective_csv(validation), HasSubstr("\nall_reduce,1048576,1,1,1,1\n"));
}

TEST(ValidationMarkdown, SaysHowItWasMadeFirst) {
  const MarkdownOrigin origin{"cubicbench validate a --markdown b.md", false};
  const std::string text = validation_markdown(made_up_validation(), made_up_summaries(), origin);
  EXPECT_TRUE(text.starts_with(
      "<!-- Made by `cubicbench validate a --markdown b.md`; any other change of it is lost. "
      "-->\n"));
  EXPECT_TRUE(validation_markdown({}, {}, {"a-->b", false}).starts_with("<!-- Made by `a--&gt;b`"));
  EXPECT_EQ(text, validation_markdown(made_up_validation(), made_up_summaries(), origin));
  for (const char* const line :
       {"\n| runs \\<one\\> | \xE2\x80\x93 | 8 | 1 | 88.9 % | 7 | 10.0 % | 19.3 % | 42.0 % | -10.0 "
        "% | 0.600 "
        "|",
        "\n| nccl | \xE2\x80\x93 | 2 | 0 | 100.0 % |",
        "\n| needs mixture_of_experts | 1 | runs \\<one\\> |",
        "\n| sc21 | step time | Calculon | 10 | no | 7.40 % |", "\n| runs \\<one\\> | 1 | 0.600 |",
        "\n| runs \\<one\\> | 1 | 7 | 4.0 | 4.0 |"}) {
    EXPECT_THAT(text, HasSubstr(line)) << line;
  }
  EXPECT_TRUE(text.ends_with("|\n"));
}

TEST(ValidationMarkdown, SpeaksOfWhatWasFittedOnlyWhereAllThatShipsIsValidated) {
  for (const bool shipped : {false, true}) {
    const std::string text =
        validation_markdown(made_up_validation(), made_up_summaries(), {"made", shipped});
    for (const char* const words :
         {"Many constants were fitted", "A change of the physics", "does not ship"}) {
      EXPECT_EQ(text.find(words) != std::string::npos, shipped) << words;
    }
  }
  EXPECT_THAT(validation_markdown({}, {}, {"made", false}),
              HasSubstr("\nNo row of these tables is wanted.\n"));
}

}  // namespace
}  // namespace cubicbench::results
