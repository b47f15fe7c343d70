#include "datasets/exhaustive/random_studies.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "datasets/problem/table_scenario.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Reason;

constexpr std::size_t studies = 100'000;
constexpr double failed = -std::numeric_limits<double>::infinity();

LaunchedTrial trial(double score, double truth, std::int64_t launches = 1) {
  return {.launches = launches, .score = score, .truth = {.reason = Reason::none, .value = truth}};
}

std::vector<RandomAfter> curve(const std::vector<LaunchedTrial>& pool, std::size_t launches,
                               const std::optional<LaunchedTrial>& first = {}) {
  return random_studies(pool, false, first, false, launches, 1, studies);
}

/// Luck makes the second of three look best.
const std::vector<LaunchedTrial> lucky{trial(1.0, 1.0), trial(3.0, 2.0), trial(2.0, 3.0)};

TEST(RandomStudies, AreWorthWhatTheirPickIsWorthWithoutNoise) {
  const std::vector<RandomAfter> after = curve(lucky, 5);
  // Any of the three; then pairs {1, 2}, {1, 3}, {2, 3}, worth 2, 3, 2; then always the second.
  EXPECT_NEAR(*after[0].mean, 2.0, 4.0 * std::sqrt(2.0 / 3.0 / studies));
  EXPECT_NEAR(*after[1].mean, 7.0 / 3.0, 4.0 * std::sqrt(2.0 / 9.0 / studies));
  for (const std::size_t b : {2U, 3U, 4U}) {
    EXPECT_EQ(after[b].mean, 2.0);
    EXPECT_EQ(after[b].error, 0.0);
    EXPECT_EQ(after[b].nine_tenths, (RandomBand{2.0, 2.0}));
  }
  EXPECT_EQ(after[0].nine_tenths, (RandomBand{1.0, 3.0}));
}

TEST(RandomStudies, LoseLaunchesToRetriesAndFailures) {
  const std::vector<LaunchedTrial> pool{trial(1.0, 5.0, 3),
                                        {.score = failed, .truth = {.reason = Reason::oom_late}}};
  const std::vector<RandomAfter> after = curve(pool, 4);
  // The first configuration takes three launches, alone or after the other's one.
  EXPECT_EQ(after[0].failing, 1.0);
  EXPECT_EQ(after[0].mean, std::nullopt);
  EXPECT_EQ(after[0].nine_tenths, RandomBand{});
  EXPECT_EQ(after[1].failing, 1.0);
  EXPECT_NEAR(after[2].failing, 0.5, 4.0 * 0.5 / std::sqrt(studies));
  EXPECT_EQ(after[2].mean, 5.0);
  EXPECT_EQ(after[3].failing, 0.0);
}

TEST(RandomStudies, APickThatFailsWithoutNoiseIsWorthNothing) {
  const std::vector<LaunchedTrial> pool{{.score = 2.0, .truth = {.reason = Reason::timeout}},
                                        trial(1.0, 1.0)};
  EXPECT_EQ(curve(pool, 2)[1].failing, 1.0);
}

TEST(RandomStudies, BeginWithWhatTheyAreGranted) {
  const std::vector<RandomAfter> after = curve(lucky, 2, trial(2.5, 2.5));
  EXPECT_EQ(after[0].mean, 2.5);
  // One of three is measured better, and is worth 2.
  EXPECT_NEAR(*after[1].mean, 2.5 - 0.5 / 3.0, 4.0 * 0.24 / std::sqrt(studies));
}

TEST(RandomStudies, ABandHoldsItsShareWhereManyStudiesEndAtOneValue) {
  std::vector<LaunchedTrial> pool;
  for (int i = 0; i < 100; ++i) pool.push_back(trial(i, i));
  const RandomAfter after = curve(pool, 2, trial(59.5, 59.5))[1];
  // 60 of 100 studies stay at 59.5, so that 90 % of them end at the 90 % quantile, number 89.
  EXPECT_EQ(after.nine_tenths.worse, 59.5);
  EXPECT_NEAR(*after.nine_tenths.better, 89.0, 1.0);
  EXPECT_EQ(after.half, (RandomBand{59.5, 59.5}));
  const RandomAfter without = curve(pool, 1)[0];
  EXPECT_NEAR(*without.nine_tenths.worse, 4.0, 1.0);
  EXPECT_NEAR(*without.nine_tenths.better, 94.0, 1.0);
}

TEST(RandomStudies, WhereLessIsBetterScoresAreNegative) {
  const std::vector<LaunchedTrial> pool{trial(-1.0, 10.0), trial(-2.0, 20.0)};
  const auto after = random_studies(pool, false, {}, true, 2, 1, studies);
  EXPECT_EQ(after[0].nine_tenths, (RandomBand{20.0, 10.0}));
  EXPECT_EQ(after[1].mean, 10.0);
}

TEST(RandomStudies, StateHowFarASampleMayBeOff) {
  std::vector<LaunchedTrial> pool;
  for (int i = 0; i < 1000; ++i) {
    const double value = sim::uniform({.entity = static_cast<std::uint64_t>(i)});
    pool.push_back(trial(value, value));
  }
  // The groups' tenths have 100 values each: their means scatter by 0.29 / sqrt(100) about 0.5.
  const RandomAfter after = random_studies(pool, true, {}, false, 1, 1, studies)[0];
  EXPECT_NEAR(*after.mean, 0.5, 4.0 * 0.29 / std::sqrt(1000.0));
  EXPECT_GT(after.error, 0.29 / std::sqrt(1000.0) / 2.0);
  EXPECT_LT(after.error, 0.29 / std::sqrt(1000.0) * 2.0);
}

TEST(RandomStudies, AreTheSameOnAnyNumberOfThreads) {
  const auto one = random_studies(lucky, false, {}, false, 3, 1, 5'000);
  const auto four = random_studies(lucky, false, {}, false, 3, 4, 5'000);
  EXPECT_EQ(one, four);
}

TEST(RandomSearchCurves, OfAScenarioBeginAtItsBaseline) {
  const scenarios::Scenario scenario = read_scenario("tiny-llama");
  const scenarios::Instance instance(scenario, 0);
  const scenarios::Placement baseline = scenario.space.from_plan(scenario.baseline);
  ASSERT_TRUE(baseline.in_space());
  sim::Workspace workspace;
  const double value = instance.true_value(scenario.baseline, workspace).value;
  const auto curves = random_search_curves(instance, baseline.configuration, 20, 2'000, 2);
  ASSERT_EQ(curves.from_baseline.size(), 20U);
  EXPECT_NEAR(*curves.from_baseline[0].mean, value, 1e-5 * value);
  EXPECT_EQ(curves.from_baseline[0].error, 0.0);
  EXPECT_LT(*curves.from_nothing[0].mean * (1.0 - curves.from_nothing[0].failing), value);
  EXPECT_GT(*curves.from_baseline[19].mean, value);
  EXPECT_EQ(random_search_curves(instance, std::nullopt, 20, 2'000, 1).from_baseline.size(), 0U);
  EXPECT_EQ(random_search_curves(instance, std::nullopt, 20, 2'000, 1).from_nothing,
            curves.from_nothing);
}

}  // namespace
}  // namespace cubicbench::datasets
