#include "search/finished/study_truth.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/readers/scenario_reader.h"

namespace cubicbench::search {
namespace {

using testing::HasSubstr;

TEST(MeasureOf, NamesPercentileAndUnit) {
  using scenarios::Metric;
  StudyResult result;
  const auto measure = [&](Metric metric, double percentile) {
    result.objective = {metric, percentile};
    return measure_of(result);
  };
  EXPECT_EQ(measure(Metric::tokens_per_s, 50.0), "median tokens/s");
  EXPECT_EQ(measure(Metric::step_time_s, 1.0), "P1 step time (s)");
  EXPECT_EQ(measure(Metric::samples_per_s, 99.5), "P99.5 samples/s");
  EXPECT_EQ(measure(Metric::tokens_per_s_per_gpu, 12.0), "P12 tokens/s per GPU");
  result.backend = "table";  // a run has one value
  EXPECT_EQ(measure(Metric::mfu, 12.0), "MFU");
}

StudyResult result_of(const std::string& scenario) {
  StudyResult result;
  result.scenario = scenario;
  result.truth_sha256 = "7777";
  result.objective = {scenarios::Metric::step_time_s, 90.0, scenarios::Direction::minimize};
  return result;
}

TEST(BaselineOf, IsUnknownOfAScenarioThatTheLibraryDoesNotHave) {
  for (const char* const name : {"made-up", "tiny-llama"}) {  // the second is another of that name
    const Baseline baseline = baseline_of(result_of(name));
    EXPECT_EQ(baseline.value, std::nullopt);
    EXPECT_TRUE(baseline.settings.empty());
    EXPECT_THAT(baseline.note, HasSubstr(std::string(name) + " that was searched is not in the"));
  }
}

TEST(BaselineOf, IsThatOfTheScenarioThatWasSearched) {
  const scenarios::Scenario scenario = scenarios::read_scenario("tiny-llama");
  StudyResult result = result_of("tiny-llama");
  result.scenario_sha256 = scenario.sha256;
  result.truth_sha256 = truth_sha256(scenarios::Instance(scenario, 0));
  const Baseline baseline = baseline_of(result);
  EXPECT_EQ(baseline.note, "");
  EXPECT_TRUE(baseline.value.has_value());
  EXPECT_FALSE(baseline.settings.empty());
  // Another physics, and none at all.
  result.truth_sha256 = "7777";
  EXPECT_EQ(baseline_of(result).value, std::nullopt);
  EXPECT_THAT(baseline_of(result).note, HasSubstr("the simulator has changed"));
  result.truth_sha256 = "";
  EXPECT_EQ(baseline_of(result).value, std::nullopt);
  EXPECT_EQ(baseline_of(result).settings, baseline.settings);
  EXPECT_THAT(baseline_of(result).note, HasSubstr("real runs"));
  result.truth_sha256 = "7777";
  result.salt_sha256 = "1234";
  EXPECT_THAT(baseline_of(result).note, HasSubstr("sealed"));
}

}  // namespace
}  // namespace cubicbench::search
