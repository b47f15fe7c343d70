#include "results/searches/search_rounds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "results/document/series_look.h"
#include "results/searches/search_figure.h"
#include "tests/results/well_formed.h"
#include "tests/search/written_search.h"
#include "tests/temporary_folder.h"

namespace cubicbench::results {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Three rounds: 10 and a failure, 12 and 11, 13.
search::WrittenStudy in_rounds() {
  return {.searcher = "cubicml",
          .launches = {{.value = 10.0, .round = 0},
                       {.value = 0.0, .reason = "oom_late", .round = 0},
                       {.value = 12.0, .round = 1},
                       {.value = 11.0, .round = 1},
                       {.value = 13.0, .round = 2}}};
}

struct Read {
  Read() {
    write_study(folder.path(), "c", in_rounds());
    search::WrittenStudy plain = in_rounds();
    plain.searcher = "evolution";
    for (search::WrittenLaunch& launch : plain.launches) launch.round = 0;
    write_study(folder.path(), "e", plain);
    set = search::read_study_set(std::array{folder.path()});
  }
  SearchedProblem problem(const CurveOptions& options) const {
    return searched_problem(grouped_studies(set)[0], {}, options);
  }
  TemporaryFolder folder;
  search::StudySet set;
};

TEST(Rounds, BelongToPlacesOnTheAxis) {
  const Read read;
  const SearchedProblem shown = read.problem({});
  ASSERT_EQ(shown.series[0].end.name, "cubicml");
  EXPECT_TRUE(has_rounds(shown.series[0].curves));
  EXPECT_FALSE(has_rounds(shown.series[1].curves));
  EXPECT_THAT(rounds_of(shown.series[0].curves, false), ElementsAre(0, 0, 1, 1, 2));
  EXPECT_THAT(rounds_of(shown.series[1].curves, false), IsEmpty());
  const SearchedProblem hidden = read.problem({.hide_failures = true});
  EXPECT_THAT(rounds_of(hidden.series[0].curves, true), ElementsAre(0, 1, 1, 2));
}

TEST(Rounds, CutALineWhereTheNextOneGoesOn) {
  const Series line{.title = {},
                    .style = SeriesStyle::steps,
                    .points = {{1, 10}, {2, 10}, {3, 12}, {4, 12}, {5, 13}}};
  const auto pieces = colored_by_round(line, {0, 0, 1, 1, 2});
  ASSERT_EQ(pieces.size(), 3U);
  EXPECT_EQ(pieces[0].points, (std::vector<FigurePoint>{{1, 10}, {2, 10}}));
  EXPECT_EQ(pieces[1].points, (std::vector<FigurePoint>{{2, 10}, {3, 12}, {4, 12}}));
  EXPECT_EQ(pieces[2].points, (std::vector<FigurePoint>{{4, 12}, {5, 13}}));
  EXPECT_EQ(pieces[2].color, sequential_color(2, 3));
  Series dots = line;
  dots.style = SeriesStyle::dots;
  EXPECT_EQ(colored_by_round(dots, {0, 0, 1, 1, 2})[1].points,
            (std::vector<FigurePoint>{{3, 12}, {4, 12}}));
}

// Rounds are numbers that a searcher sets, and a journal may come from anywhere.
TEST(Rounds, MayBeFarApart) {
  const Series line{.title = {}, .style = SeriesStyle::dots, .points = {{1, 10}, {2, 11}, {3, 12}}};
  const auto pieces = colored_by_round(line, {0, 999'999'999, 999'999'999});
  ASSERT_EQ(pieces.size(), 2U);
  EXPECT_EQ(pieces[1].points, (std::vector<FigurePoint>{{2, 11}, {3, 12}}));
}

TEST(Rounds, NameSomeOfMany) {
  std::vector<std::int64_t> rounds;
  for (std::int64_t round = 0; round < 31; ++round) rounds.push_back(round);
  std::vector<std::string> titles;
  for (const Series& key : round_keys({}, rounds)) titles.push_back(key.title);
  EXPECT_THAT(titles, ElementsAre("round 0", "round 15", "round 30"));
  EXPECT_EQ(round_keys({}, {0, 1, 1}).size(), 2U);
  EXPECT_THAT(round_keys({}, {}), IsEmpty());
}

TEST(Rounds, HaveAColourEachInTheFigureAndTheOthersStayAsTheyAre) {
  const Read read;
  const SearchedProblem problem = read.problem({});
  const Figure figure = search_figure(problem, "f");
  std::vector<std::string> titles;
  for (const Series& series : figure.series) {
    if (!series.title.empty()) titles.push_back(series.title);
  }
  EXPECT_THAT(titles, ElementsAre("round 0", "round 1", "round 2", "failed: out of memory later"));
  ASSERT_GE(figure.series.size(), 4U);
  for (std::size_t round = 0; round < 3; ++round) {  // dots come first
    EXPECT_EQ(figure.series[round].color, sequential_color(round, 3));
  }
  EXPECT_EQ(figure.series[5].label, "cubicml");  // the last piece of its line
  EXPECT_EQ(figure.series[5].label_color, "#0072B2");
  EXPECT_EQ(figure.series[6].label, "evolution");
  EXPECT_EQ(figure.series[6].color, "#E69F00");
  EXPECT_EQ(xml_problem(svg_of(figure)), "");
  EXPECT_THAT(search_caption(problem),
              HasSubstr("Dots and line of cubicml have a colour per round (of the first seed; "));
  EXPECT_THAT(search_csv(problem), HasSubstr("frontier,made-up,0,cubicml,,3,,1,,,,,12,,3\n"));
  EXPECT_THAT(search_csv(problem), HasSubstr("frontier,made-up,0,evolution,,3,,,,,,,12,,3\n"));
}

TEST(Rounds, ColourOneSearcherAlone) {
  const TemporaryFolder folder;
  search::WrittenStudy other = in_rounds();
  other.searcher = "coordinate";
  write_study(folder.path(), "a", other);
  write_study(folder.path(), "c", in_rounds());
  const search::StudySet set = search::read_study_set(std::array{folder.path()});
  const SearchedProblem problem = searched_problem(grouped_studies(set)[0], {}, {});
  EXPECT_EQ(problem.series[subject_of(problem)].end.name, "cubicml");
  std::vector<std::string> titles;
  std::vector<std::string> colors_of_other;
  for (const Series& series : search_figure(problem, "f").series) {
    if (series.title.starts_with("round")) titles.push_back(series.title);
    if (series.of == "coordinate") colors_of_other.push_back(series.color);
  }
  EXPECT_THAT(titles, ElementsAre("round 0", "round 1", "round 2"));
  EXPECT_THAT(colors_of_other, ElementsAre("#1F2937"));
  EXPECT_THAT(search_caption(problem), HasSubstr("Dots and line of cubicml have a colour"));
}

TEST(SequentialColors, AreAllDifferentAndStartAndEndAlike) {
  EXPECT_EQ(sequential_color(0, 1), "#91285F");
  EXPECT_EQ(sequential_color(0, 9), "#91285F");
  EXPECT_EQ(sequential_color(8, 9), "#56B4E9");
  // Of three the middle one lies half-way between the second and the third of four.
  EXPECT_EQ(sequential_color(1, 3), "#008893");
  for (std::size_t i = 1; i < 20; ++i) {
    EXPECT_NE(sequential_color(i, 20), sequential_color(i - 1, 20));
  }
}

}  // namespace
}  // namespace cubicbench::results
