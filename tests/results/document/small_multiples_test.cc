#include "results/document/small_multiples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "tests/results/well_formed.h"

namespace cubicbench::results {
namespace {

using testing::HasSubstr;
using testing::Not;

/// So many lines, each with a band, from (0, 0) to (1, i / 10).
Figure of_panels(std::size_t count) {
  Figure figure;
  figure.name = "f";
  figure.x.label = "jobs";
  figure.y.label = "tau";
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = "line" + std::to_string(i);
    const double end = static_cast<double>(i) / 10.0;
    figure.series.push_back(
        {.of = name, .style = SeriesStyle::band, .points = {{0.0, 0.0, 0.1}, {1.0, end, 1.0}}});
    figure.series.push_back(
        {.label = name, .of = name, .color = "#0072B2", .points = {{0.0, 0.0}, {1.0, end}}});
  }
  return figure;
}

TEST(SmallMultiples, BeginWhereColoursEnd) {
  EXPECT_FALSE(needs_panels(of_panels(8)));
  EXPECT_TRUE(needs_panels(of_panels(9)));
  Figure keys = of_panels(8);
  keys.series.push_back({.title = "round 0", .style = SeriesStyle::dots});
  keys.series.push_back({.title = "a key", .style = SeriesStyle::line});  // in the legend alone
  keys.series.push_back({.label = "again", .of = "line0", .points = {{0.0, 0.0}, {1.0, 1.0}}});
  EXPECT_FALSE(needs_panels(keys));
}

TEST(SmallMultiples, ShowOneLineBeforeGreyCopiesOfTheOthers) {
  const std::vector<Figure> panels = panels_of(of_panels(10));
  ASSERT_EQ(panels.size(), 10U);
  const Figure& third = panels[2];
  EXPECT_EQ(third.title, "line2");
  ASSERT_EQ(third.series.size(), 11U);  // nine others, its band and itself
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_EQ(third.series[i].style, SeriesStyle::line);
    EXPECT_EQ(third.series[i].color, "#d0d0d0");
    EXPECT_EQ(name_of(third.series[i]), "");
  }
  EXPECT_EQ(third.series[9].style, SeriesStyle::band);
  EXPECT_EQ(third.series[10].color, "#0072B2");
  EXPECT_EQ(third.series[10].points.back().y, 0.2);
}

TEST(SmallMultiples, KeepRowsOfTheStripApart) {
  Figure figure = of_panels(9);
  figure.strip_label = "failed";
  figure.strip.resize(9);
  for (std::size_t i = 0; i < 8; ++i) {
    figure.strip[i].of = "line" + std::to_string(i);
    figure.strip[i].series = {
        {.style = SeriesStyle::dots, .points = {{static_cast<double>(i) / 10.0, 0.0}}}};
  }
  const std::vector<Figure> panels = panels_of(figure);
  ASSERT_EQ(panels[3].strip.size(), 1U);
  EXPECT_EQ(panels[3].strip[0].series[0].points[0].x, 0.3);
  ASSERT_EQ(panels[8].strip.size(), 1U);  // of nobody, so that all axes are alike
  EXPECT_TRUE(panels[8].strip[0].series.empty());
}

TEST(SmallMultiples, ShareAxesNamesAndLegend) {
  Figure figure = of_panels(10);
  figure.levels.push_back({0.5, "ceiling"});
  figure.series.push_back({.title = "round 0", .style = SeriesStyle::dots});
  const std::string script = gnuplot_script(figure);
  const auto count = [&](const std::string& text) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = script.find(text, at)) != std::string::npos; ++at) ++found;
    return found;
  };
  EXPECT_EQ(count("plot $d"), 9U);  // the first panel begins with the legend
  EXPECT_EQ(count("'round 0'"), 1U);
  EXPECT_EQ(count("set label 'jobs'"), 1U);
  EXPECT_EQ(count("set label 'tau'"), 1U);
  EXPECT_EQ(count("set label 'ceiling'"), 2U);  // right of the two full rows
  EXPECT_EQ(count("set yrange [0:1]"), 10U);
  // Numbers beside three rows, and below the last panel of each of four columns.
  EXPECT_EQ(count("set ytics 0,0.2 nomirror\n"), 3U);
  EXPECT_EQ(count("set xtics 0,0.2 nomirror\n"), 4U);
}

TEST(SmallMultiples, AreOneDrawingWithNamedSeriesAndIdsOfTheirOwn) {
  const std::string svg = svg_of(of_panels(12));
  EXPECT_EQ(xml_problem(svg), "");
  EXPECT_EQ(svg, svg_of(of_panels(12)));
  EXPECT_THAT(svg, Not(HasSubstr("plot_plot")));
  std::set<std::string> ids;
  std::size_t named = 0;
  for (std::size_t at = 0; (at = svg.find("id=\"f-plot-", at)) != std::string::npos; ++at) {
    const std::string id = svg.substr(at, svg.find('"', at + 4) - at);
    EXPECT_TRUE(ids.insert(id).second) << id;
  }
  for (std::size_t at = 0; (at = svg.find("<title>line11</title>", at)) != std::string::npos;
       ++at) {
    ++named;
  }
  EXPECT_EQ(ids.size(), 12U * 13U);  // eleven grey lines, a band and a line in each
  EXPECT_EQ(named, 1U);
}

}  // namespace
}  // namespace cubicbench::results
