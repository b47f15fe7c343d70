#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/validation/validation_sections.h"
#include "tests/datasets/validation/made_up_validation.h"
#include "tests/results/validation/document_parts.h"

namespace cubicbench::results {
namespace {

using datasets::made_up_run;
using datasets::on_ladder;
using datasets::ValidatedRow;
using datasets::Validation;
using ::testing::HasSubstr;

Drawing drawing(const Validation& validation, const char* stem) {
  Document document;
  add_memory(validation, summaries_of(validation), document);
  return drawing_of(document, stem);
}

Drawing peaks(const Validation& validation) { return drawing(validation, "memory-peaks"); }
Drawing verdicts(const Validation& validation) { return drawing(validation, "memory-verdicts"); }

ValidatedRow with_peak(ValidatedRow row, double measured, double simulated) {
  row.memory.peak_measured = measured;
  row.memory.peak_simulated = simulated;
  row.memory.kind = "reserved";
  return row;
}

/// Demands of 60, 62, 78 and 300 GiB of 80, of which the last two and one of the first failed.
Validation four_verdicts() {
  Validation validation;
  const ValidatedRow run = made_up_run("r", "s", "g", 1.0, 1.0);
  validation.rows = {on_ladder(run, 1, true, 60.0), on_ladder(run, 2, false, 62.0),
                     on_ladder(run, 3, false, 78.0), on_ladder(run, 4, false, 300.0)};
  return validation;
}

TEST(PeaksFigure, HasAMarkARunBySource) {
  Validation validation;
  validation.rows = {with_peak(made_up_run("a", "one", "g", 1.0, 1.0), 20.0, 22.0),
                     with_peak(made_up_run("b", "two", "g", 1.0, 1.0), 40.0, 30.0),
                     made_up_run("c", "two", "g", 1.0, 1.0)};
  const Figure figure = peaks(validation).figure;
  ASSERT_EQ(figure.series.size(), 4U);  // band, diagonal, two sources
  EXPECT_EQ(figure.series[2].title, "one (1)");
  ASSERT_EQ(figure.series[3].points.size(), 1U);
  EXPECT_EQ(figure.series[3].points.front(), (FigurePoint{40.0, 30.0}));
  EXPECT_EQ(figure.x.min, figure.y.min);
  EXPECT_EQ(figure.x.max, figure.y.max);
  EXPECT_THAT(peaks(validation).csv, HasSubstr("\ntwo,b,reserved,40,30\n"));
}

TEST(PeaksFigure, SaysThatThereIsNothingToDraw) {
  EXPECT_EQ(peaks(four_verdicts()).figure.message, "no peak was measured");
}

TEST(VerdictsFigure, IsTheShareThatFailedByDemandOverLimit) {
  const Figure figure = verdicts(four_verdicts()).figure;
  ASSERT_EQ(figure.series.size(), 2U);
  const std::vector<FigurePoint>& marks = figure.series[1].points;
  ASSERT_EQ(marks.size(), 3U);  // 60 and 62 of 80 are in [0.75, 0.8), 78 in [0.95, 1)
  EXPECT_NEAR(marks[0].x, 0.775, 1e-12);
  EXPECT_EQ(marks[0].y, 0.5);
  EXPECT_NEAR(marks[1].x, 0.975, 1e-12);
  EXPECT_EQ(marks[1].y, 1.0);
  EXPECT_NEAR(marks[2].x, 1.475, 1e-12);
}

TEST(VerdictsFigure, DrawsTheProbabilityThatIsSimulated) {
  const Figure figure = verdicts(four_verdicts()).figure;
  const std::vector<FigurePoint>& line = figure.series[0].points;
  EXPECT_LT(line.front().y, 0.001);
  EXPECT_GT(line.back().y, 0.999);
  for (std::size_t i = 1; i < line.size(); ++i) EXPECT_GE(line[i].y, line[i - 1].y);
  EXPECT_THAT(verdicts(four_verdicts()).csv, HasSubstr(",2,1,0.5,"));
}

TEST(VerdictsFigure, PassesOverRowsWithoutALimit) {
  Validation validation = four_verdicts();
  for (ValidatedRow& row : validation.rows) row.memory.limit = 0.0;
  EXPECT_EQ(verdicts(validation).figure.message, "no source tells of runs out of memory");
}

TEST(VerdictsFigure, CountsOnlySourcesThatTellOfFailures) {
  Validation validation = four_verdicts();
  const std::string before = verdicts(validation).csv;
  validation.rows.push_back(on_ladder(made_up_run("r", "successes", "g", 1.0, 1.0), 1, true, 61.0));
  EXPECT_EQ(verdicts(validation).csv, before);
  validation.rows.push_back(
      on_ladder(made_up_run("r", "successes", "g", 1.0, 1.0), 2, false, 90.0));
  EXPECT_THAT(verdicts(validation).csv, HasSubstr(",3,1,0.333"));
}

}  // namespace
}  // namespace cubicbench::results
