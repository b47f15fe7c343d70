#include "results/exports/exported_studies.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace cubicbench::results {
namespace {

TEST(ExportedStudies, WriteHoursOfAStudyAsDates) {
  EXPECT_EQ(clock_text(0.0), "1970-01-01T00:00:00.000000");
  EXPECT_EQ(clock_text(1.5 / 3600.0), "1970-01-01T00:00:01.500000");
  EXPECT_EQ(clock_text(27.25), "1970-01-02T03:15:00.000000");
  EXPECT_EQ(clock_text(24.0 * 365.0), "1971-01-01T00:00:00.000000");
}

TEST(ExportedStudies, SayWhichOfAKnobsValuesAConfigurationHas) {
  const ExportedProblem problem{
      .number = 1,
      .knobs = {{.name = "tensor_parallel", .values = {"1", "2", "16"}},
                {.name = "virtual_stages", .values = {"2"}},
                {.name = "schedule", .values = {"\"1f1b\"", "\"gpipe\""}}}};
  EXPECT_EQ(problem.positions({{"schedule", "\"gpipe\""}, {"tensor_parallel", "16"}}),
            (std::vector<int>{2, -1, 1}));
}

TEST(ExportedStudies, AreWorthTheirTruthWhereItIsKnown) {
  search::StudyLaunch launch;
  launch.value = 3.0;
  EXPECT_EQ(worth_of(launch), 3.0);
  launch.truth = scenarios::TrueValue{.reason = scenarios::Reason::none, .value = 2.0};
  EXPECT_EQ(worth_of(launch), 2.0);
  launch.state = scenarios::TrialState::fail;
  EXPECT_EQ(worth_of(launch), std::nullopt);
}

}  // namespace
}  // namespace cubicbench::results
