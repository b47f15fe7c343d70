#include "results/searches/search_figure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "tests/search/written_search.h"
#include "tests/temporary_folder.h"

namespace cubicbench::results {
namespace {

using testing::HasSubstr;

/// The figure of evolution's studies, one seed each of `values`, 0 for a launch that failed.
Figure figure_of(const std::vector<std::vector<double>>& values) {
  const TemporaryFolder folder;
  for (std::size_t seed = 0; seed < values.size(); ++seed) {
    search::WrittenStudy study{
        .searcher = "evolution", .seed = static_cast<int>(seed), .launches = {}};
    for (const double value : values[seed]) {
      study.launches.push_back({.value = value, .reason = value == 0.0 ? "oom_late" : ""});
    }
    write_study(folder.path(), std::to_string(seed), study);
  }
  const search::StudySet set = search::read_study_set(std::array{folder.path()});
  return search_figure(searched_problem(grouped_studies(set).front(), {}, {}), "f");
}

TEST(SearchFigure, DrawsAllThatItHasInTheUnitOfItsAxis) {
  const Figure figure = figure_of({{10'000.0, 20'000.0}, {20'000.0, 40'000.0}});
  EXPECT_EQ(figure.y.label, "median tokens/s, thousands");
  ASSERT_GE(figure.series.size(), 3U);
  // The band has the quartiles of the bests so far, the line their median.
  EXPECT_EQ(figure.series[0].points, (std::vector<FigurePoint>{{1, 12.5, 17.5}, {2, 25, 35}}));
  EXPECT_EQ(figure.series[1].points, (std::vector<FigurePoint>{{1, 10}, {2, 20}}));
  EXPECT_EQ(figure.series[2].points, (std::vector<FigurePoint>{{1, 15}, {2, 30}}));
}

TEST(SearchFigure, HasThousandsFromTenThousandOnAndMillionsFromAMillionOn) {
  EXPECT_EQ(figure_of({{1.0, 9'999.0}}).y.label, "median tokens/s");
  EXPECT_EQ(figure_of({{1.0, 10'000.0}}).y.label, "median tokens/s, thousands");
  EXPECT_EQ(figure_of({{1.0, 1e6}}).y.label, "median tokens/s, millions");
}

TEST(SearchFigure, CutsTheAxisWhereAllIsInItsUpperHalf) {
  EXPECT_EQ(figure_of({{5.0, 10.0}}).y.min, 0.0);
  const Figure cut = figure_of({{5.5, 10.0}});
  EXPECT_EQ(cut.y.min, 5.0);
  EXPECT_THAT(cut.y.label, HasSubstr("(axis starts at 5)"));
}

TEST(SearchFigure, MarksFailuresBelowTheirLaunch) {
  const Figure figure = figure_of({{10.0, 0.0, 12.0, 0.0}});
  ASSERT_EQ(figure.strip.size(), 1U);
  std::vector<FigurePoint> failures;
  for (const Series& series : figure.strip[0].series) {
    failures.insert(failures.end(), series.points.begin(), series.points.end());
  }
  EXPECT_EQ(failures, (std::vector<FigurePoint>{{2, 0}, {4, 0}}));
}

}  // namespace
}  // namespace cubicbench::results
