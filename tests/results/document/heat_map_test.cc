#include "results/document/heat_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "tests/results/well_formed.h"

namespace cubicbench::results {
namespace {

using testing::HasSubstr;
using testing::Not;

HeatMap two_by_two() {
  return {.title = "made-up: tokens/s",
          .description = "a map",
          .across = "wrap",
          .down = "recompute",
          .columns = {"1", "2"},
          .rows = {"none", "full"},
          .cells = {{.amount = 1.0, .mark = "1.0", .words = "none, 1"},
                    {.mark = "OOM", .words = "none, 2: <out>"},
                    {.amount = 4.0, .mark = "4.0", .words = "full, 1", .is_best = true},
                    {.amount = 2.0, .mark = "2.0", .words = "full, 2"}},
          .least = "1.0",
          .most = "4.0",
          .hatched = "does not run"};
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST(HeatMap, ColoursByAmountAndHatchesWhatHasNone) {
  const std::string svg = heat_map_svg(two_by_two());
  EXPECT_EQ(xml_problem(svg), "");
  // Shades of seven by (amount - 1) / 3: 0, 2 and the last; each is in the legend once.
  EXPECT_EQ(count_of(svg, "class=\"k0\""), 2U);
  EXPECT_EQ(count_of(svg, "class=\"k2\""), 2U);
  EXPECT_EQ(count_of(svg, "class=\"k6\""), 2U);
  EXPECT_EQ(count_of(svg, "class=\"k3\""), 1U);
  EXPECT_EQ(count_of(svg, "class=\"hatched\""), 2U);
  EXPECT_EQ(count_of(svg, "class=\"best\""), 1U);
  EXPECT_THAT(svg, HasSubstr("<title>none, 2: &lt;out&gt;</title>"));
  EXPECT_THAT(svg, HasSubstr(">OOM</text>"));
}

TEST(HeatMap, NeedsNoDifference) {
  HeatMap map = two_by_two();
  for (HeatCell& cell : map.cells) cell.amount = 3.0;
  EXPECT_EQ(count_of(heat_map_svg(map), "class=\"k6\""), 5U);
  for (HeatCell& cell : map.cells) cell.amount.reset();
  map.least.clear();
  EXPECT_THAT(heat_map_svg(map), Not(HasSubstr("class=\"k")));
}

TEST(HeatMap, NamesEveryColumnThatHasRoom) {
  HeatMap map = two_by_two();
  map.columns = {"hybrid_shard_zero2", "zero1_hybrid"};
  const std::string svg = heat_map_svg(map);
  EXPECT_THAT(svg, HasSubstr(">hybrid_shard_zero2</text>"));
  EXPECT_THAT(svg, HasSubstr(">zero1_hybrid</text>"));
}

TEST(HeatMap, KeepsTheEndOfANameThatIsTooLong) {
  HeatMap map = two_by_two();
  map.title = "<title> & more";
  map.rows[1] = std::string(100, 'x') + "/the-end.json";
  map.columns[0] = map.rows[1];
  const std::string svg = heat_map_svg(map);
  EXPECT_EQ(xml_problem(svg), "");
  EXPECT_EQ(count_of(svg, "x/the-end.json</text>"), 2U);
  EXPECT_EQ(count_of(svg, "<title>" + map.rows[1] + "</title>"), 2U);
  EXPECT_EQ(count_of(svg, ">" + map.rows[1] + "</text>"), 0U);
}

TEST(HeatMap, MayHaveOneCell) {
  HeatMap map = two_by_two();
  map.columns.resize(1);
  map.rows.resize(1);
  map.cells.resize(1);
  EXPECT_EQ(xml_problem(heat_map_svg(map)), "");
}

TEST(HeatMap, LeavesOutWhatHasNoRoom) {
  HeatMap map = two_by_two();
  map.columns.clear();
  map.cells.clear();
  for (int i = 0; i < 100; ++i) {
    map.columns.push_back(std::to_string(1000 + i));
    map.cells.insert(map.cells.end(), 2, {.amount = 1.0, .mark = "1.000 M", .words = ""});
  }
  const std::string svg = heat_map_svg(map);
  EXPECT_EQ(count_of(svg, ">1.000 M<"), 0U);
  EXPECT_THAT(svg, HasSubstr(">1000</text>"));
  EXPECT_THAT(svg, Not(HasSubstr(">1001</text>")));
}

}  // namespace
}  // namespace cubicbench::results
