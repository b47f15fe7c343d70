#include "results/document/figure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>

#include "support/input_error.h"
#include "tests/results/well_formed.h"

namespace cubicbench::results {
namespace {

using testing::HasSubstr;
using testing::Not;

Figure small() {
  Figure figure;
  figure.name = "fig-1";
  figure.title = "a <b> & 'c'";
  figure.x.label = "jobs & <more> \"quoted\" 'it''s' `date`";
  figure.y.label = "samples/s";
  figure.x.max = 3.0;
  figure.y.max = 10.0;
  figure.series.push_back({.title = "line & <1>",
                           .style = SeriesStyle::steps,
                           .color = "#0072B2",
                           .dash = 2,
                           .points = {{1.0, 2.0}, {2.0, 4.0}, {3.0, 8.0}}});
  figure.series.push_back({.title = "dots",
                           .style = SeriesStyle::dots,
                           .color = "#D55E00",
                           .points = {{1.0, 2.0}, {2.0, 1.0}}});
  figure.series.push_back({.title = {},
                           .style = SeriesStyle::band,
                           .color = "#009E73",
                           .points = {{1.0, 1.0, 3.0}, {3.0, 6.0, 9.0}}});
  figure.levels.push_back({5.0, "baseline 5.0"});
  return figure;
}

TEST(GnuplotScript, HasNoTextThatIsACommand) {
  Figure figure = small();
  figure.series[0].title = "x'\nset output '/tmp/stolen'";
  const std::string script = gnuplot_script(figure);
  EXPECT_THAT(script,
              HasSubstr("title 'x\xE2\x80\x99?set output \xE2\x80\x99/tmp/stolen\xE2\x80\x99'"));
  EXPECT_THAT(script, Not(HasSubstr("`")));
  EXPECT_THAT(script, HasSubstr("\n1 2\n2 4\n3 8\nEND\n"));
  EXPECT_THAT(script, HasSubstr("set label 'baseline 5.0' at graph 1.012,graph "));
}

TEST(GnuplotScript, NarrowsTheLegendByTheLengthOfItsTitles) {
  Figure figure = small();  // the longest is "line & <1>", ten characters
  EXPECT_THAT(gnuplot_script(figure), HasSubstr(" width -2 maxrows "));
  figure.series[0].title = "ridge";
  EXPECT_THAT(gnuplot_script(figure), HasSubstr(" width -1 maxrows "));
  figure.series[0].title = "cubicml (slots 4, telling drop)";
  EXPECT_THAT(gnuplot_script(figure), HasSubstr(" width -4 maxrows "));
}

Figure of_lines(std::size_t count) {
  Figure figure;
  figure.name = "f";
  for (std::size_t i = 0; i < count; ++i) {
    figure.series.push_back(
        {.label = "line" + std::to_string(i), .points = {{0.0, 0.0}, {1.0, 0.5}}});
  }
  return figure;
}

/// Where on the axis the label of `text` stands.
double place_of(const std::string& script, const std::string& text) {
  const std::string before = "set label '" + text + "' at graph 1.012,graph ";
  const std::size_t at = script.find(before);
  EXPECT_NE(at, std::string::npos) << text;
  return std::stod(script.substr(at + before.size()));
}

TEST(GnuplotScript, LabelsOfLinesThatEndTogetherMoveApart) {
  const std::string script = gnuplot_script(of_lines(3));
  const double gap = place_of(script, "line1") - place_of(script, "line0");
  EXPECT_GT(gap, 0.03);
  EXPECT_NEAR(place_of(script, "line2") - place_of(script, "line1"), gap, 1e-9);
  Figure high = of_lines(3);
  for (Series& series : high.series) series.points.back().y = 1.0;
  EXPECT_NEAR(place_of(gnuplot_script(high), "line2"), 1.0, 1e-9);  // and none beyond the axis
  EXPECT_NEAR(place_of(gnuplot_script(high), "line0"), 1.0 - 2.0 * gap, 1e-9);
}

TEST(GnuplotScript, ManyLinesHaveALegendInstead) {
  EXPECT_THAT(gnuplot_script(of_lines(6)), Not(HasSubstr(" title 'line")));
  const std::string many = gnuplot_script(of_lines(7));
  EXPECT_THAT(many, HasSubstr(" title 'line6'"));
  EXPECT_THAT(many, Not(HasSubstr("set label 'line")));
}

TEST(GnuplotScript, AThirdBandIsDrawnAsBars) {
  Figure figure;
  figure.name = "f";
  const Series band{.style = SeriesStyle::band, .points = {{0.0, 0.2, 0.4}, {1.0, 0.3, 0.5}}};
  figure.series = {band, band, band};
  std::vector<SeriesStyle> styles;
  for (const Series& series : drawn_series(figure)) styles.push_back(series.style);
  EXPECT_EQ(styles, (std::vector{SeriesStyle::band, SeriesStyle::band, SeriesStyle::whiskers}));
  EXPECT_EQ(xml_problem(svg_of(figure)), "");
}

TEST(Svg, NamesItsSeriesAndHasColoursForTheDark) {
  Figure figure = of_lines(1);
  figure.series[0].color = "#0072B2";
  const std::string svg = svg_of(figure);
  EXPECT_THAT(svg, HasSubstr("<title>line0</title>"));
  EXPECT_THAT(svg, HasSubstr("@media (prefers-color-scheme: dark)"));
  EXPECT_THAT(svg, HasSubstr("{stroke:#4FA8DD}"));
}

TEST(Svg, IsWellFormedAndShowsEveryText) {
  const std::string svg = svg_of(small());
  EXPECT_EQ(xml_problem(svg), "");
  for (const char* text : {"samples/s", "line &amp; &lt;1", "dots", "baseline 5.0",
                           "a &lt;b&gt; &amp; &#39;c&#39;", "0, 114, 178", "213,  94,   0"}) {
    EXPECT_THAT(svg, HasSubstr(text));
  }
}

TEST(Svg, SaysNothingOfItsMakerAndSharesNoIds) {
  const std::string svg = svg_of(small());
  EXPECT_EQ(svg, svg_of(small()));
  EXPECT_THAT(svg, Not(HasSubstr("GNUPLOT")));
  EXPECT_THAT(svg, Not(HasSubstr("gnuplot")));
  EXPECT_THAT(svg, Not(HasSubstr("plot_plot")));
  for (const char quote : {'"', '\''}) {
    const std::string id = std::string("id=") + quote;
    for (std::size_t at = 0; (at = svg.find(" " + id, at)) != std::string::npos; ++at) {
      EXPECT_EQ(svg.substr(at + 1 + id.size(), 6), "fig-1-");
    }
  }
}

TEST(Svg, CanBeEmpty) {
  Figure figure;
  figure.name = "none";
  EXPECT_EQ(xml_problem(svg_of(figure)), "");
}

TEST(Svg, MarksFailuresBelowTheAxis) {
  Figure figure = small();
  figure.strip_label = "failed";
  figure.strip.push_back({{{.title = {}, .style = SeriesStyle::dots, .points = {{2.0, 0.0}}}}});
  // One row of 4.5 % of the height, with a fifth more: y from -0.54, the mark 0.6 rows down.
  EXPECT_THAT(gnuplot_script(figure), HasSubstr("set yrange [-0.54:10]"));
  EXPECT_THAT(gnuplot_script(figure), HasSubstr("\n2 -0.27\nEND\n"));
  EXPECT_THAT(svg_of(figure), HasSubstr("failed"));
}

TEST(Gnuplot, ReportsItsOwnFailure) {
  EXPECT_EQ(run_gnuplot("print 1"), "");
  try {
    run_gnuplot("this is no command\n");
    FAIL() << "expected an error";
  } catch (const support::OutputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("gnuplot failed: "));
  }
}

TEST(Gnuplot, IsNotWaitedForForEver) {
  try {
    run_gnuplot("pause 60\n", std::chrono::seconds{1});
    FAIL() << "expected an error";
  } catch (const support::OutputError& error) {
    EXPECT_STREQ(error.what(), "gnuplot draws nothing for 1 s");
  }
}

TEST(Gnuplot, SaysWhatToInstall) {
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", "/nonexistent", 1);
  try {
    run_gnuplot("");
    ADD_FAILURE() << "expected an error";
  } catch (const support::OutputError& error) {
    EXPECT_STREQ(error.what(),
                 "cannot start gnuplot, which draws the figures: install it (Debian: apt-get "
                 "install gnuplot-nox)");
  }
  ::setenv("PATH", path.c_str(), 1);
}

}  // namespace
}  // namespace cubicbench::results
