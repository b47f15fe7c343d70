#include "results/document/timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/results/well_formed.h"

namespace cubicbench::results {
namespace {

using testing::HasSubstr;
using testing::Not;

std::size_t times_in(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

/// One lane over a second, which is 804 pixels wide.
Timeline example(std::vector<TimelineBox> boxes) {
  return {.title = "a & b",
          .description = "made up",
          .waiting = "waiting",
          .length_s = 1.0,
          .kinds = {{"forward", "#0072B2", "#4FA8DD"}, {"backward", "#E69F00", "#F5B83D"}},
          .rows = {{"rank 0", {{"computes", true, std::move(boxes)}}}}};
}

TEST(TimelineSvg, StandsAloneInLightAndDark) {
  const std::string svg =
      timeline_svg(example({{0.0, 0.5, 0, "12", "forward <of> 12"}, {0.5, 1.0, 1}}));
  EXPECT_EQ(xml_problem(svg), "");
  EXPECT_THAT(svg, HasSubstr("<title>a &amp; b</title>\n<desc>made up</desc>"));
  EXPECT_THAT(svg, HasSubstr("<title>forward &lt;of&gt; 12</title>"));
  EXPECT_THAT(svg, HasSubstr("@media screen and (prefers-color-scheme:dark){"));
  EXPECT_THAT(svg, HasSubstr(".k0{fill:#0072B2}.t0{fill:#FFFFFF}"));
  EXPECT_THAT(svg, HasSubstr(".k1{fill:#F5B83D}.t1{fill:#14171A}"));
  for (const char* outside : {"<script", "href", "@import", "<image"}) {
    EXPECT_THAT(svg, Not(HasSubstr(outside)));
  }
}

TEST(TimelineSvg, DrawsBoxesWhereTheyAre) {
  const std::string svg = timeline_svg(example({{0.25, 0.75, 0, "7"}}));
  // 172 + 804 / 4, half of 804 less the hairline to the next box.
  EXPECT_THAT(svg,
              HasSubstr("<rect class=\"k0\" x=\"373\" y=\"76\" width=\"401.4\" height=\"20\"/>"));
  EXPECT_THAT(svg, HasSubstr(">7</text>"));
  EXPECT_THAT(svg, HasSubstr("time, ms"));
}

TEST(TimelineSvg, MarksOnlyBoxesWithRoom) {
  EXPECT_THAT(timeline_svg(example({{0.0, 0.01, 0, "128"}})), Not(HasSubstr(">128</text>")));
}

// A thousand boxes of each kind, a quarter of a pixel each, of which the second kind takes twice as
// long: no more shapes than pixels, and all in its colour.
TEST(TimelineSvg, GivesColumnsOfPixelsToTheKindThatTakesMostOfThem) {
  std::vector<TimelineBox> boxes;
  for (int i = 0; i < 1000; ++i) {
    const double at = 0.001 * i;
    boxes.push_back({at, at + 0.0003, 0});
    boxes.push_back({at + 0.0003, at + 0.0009, 1});
  }
  const std::string svg = timeline_svg(example(boxes));
  EXPECT_EQ(times_in(svg, "class=\"k1\""), 1U + 1U);  // of the legend and of the lane
  EXPECT_EQ(times_in(svg, "class=\"k0\""), 1U);
  EXPECT_THAT(svg,
              HasSubstr("<rect class=\"k1\" x=\"172\" y=\"76\" width=\"804\" height=\"20\"/>"));
}

TEST(TimelineSvg, ShowsWhatIsAloneHoweverShort) {
  const std::string svg = timeline_svg(example({{0.5, 0.5001, 1}}));
  EXPECT_THAT(svg, HasSubstr("<rect class=\"k1\" x=\"574\" y=\"76\" width=\"1\" height=\"20\"/>"));
}

TEST(TimelineSvg, HasATickAtEveryStepOfTheAxis) {
  Timeline timeline = example({});
  for (const auto& [length, unit, last] :
       {std::tuple(6.3, "time, s", ">6</text>"), std::tuple(0.0041, "time, ms", ">4</text>"),
        std::tuple(4e-5, "time, \xC2\xB5s", ">40</text>")}) {
    timeline.length_s = length;
    const std::string svg = timeline_svg(timeline);
    EXPECT_THAT(svg, HasSubstr(unit));
    EXPECT_THAT(svg, HasSubstr(last));
  }
}

}  // namespace
}  // namespace cubicbench::results
