#include "datasets/families/trivial_orders.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "datasets/problem/table_scenario.h"
#include "scenarios/space/corner.h"
#include "tests/datasets/families/tiny_family.h"

namespace cubicbench::datasets {
namespace {

/// A judge that knows the value of a number and whether it runs.
template <typename Value>
Judge judge_by(Value value_of) {
  return [value_of](std::span<const std::uint64_t> numbers) {
    std::vector<scenarios::TrueValue> values;
    for (const std::uint64_t number : numbers) values.push_back(value_of(number));
    return values;
  };
}

scenarios::TrueValue runs_at(double value) { return {.value = value}; }
scenarios::TrueValue fails() { return {.reason = scenarios::Reason::oom_init}; }

TEST(ExpectedClosed, OfOneDrawIsTheMeanOfWhatIsClosed) {
  const Gap gap{.baseline = 10.0, .best = 20.0};
  // Four rows, one of which fails and one is below the baseline: (1 + 0.5 + 0 + 0) / 4.
  EXPECT_DOUBLE_EQ(expected_closed(gap, std::vector{20.0, 15.0, 5.0}, 4, 1), 0.375);
}

TEST(ExpectedClosed, OfTwoDrawsTakesTheBetter) {
  const Gap gap{.baseline = 10.0, .best = 20.0};
  // The best of two uniform draws of four is the first in 7 of 16 cases, the second in 5.
  EXPECT_NEAR(expected_closed(gap, std::vector{20.0, 15.0, 5.0}, 4, 2), 7.0 / 16 + 0.5 * 5.0 / 16,
              1e-12);
}

TEST(ExpectedClosed, IsNothingWhereNothingRuns) {
  EXPECT_EQ(expected_closed({.baseline = 1.0, .best = 2.0}, {}, 10, 150), 0.0);
}

TEST(Gap, CountsLessThanTheBaselineAsNothingAndMoreThanTheBestAsAll) {
  const Gap less_is_better{.baseline = -20.0, .best = -10.0};
  EXPECT_EQ(less_is_better.closed(-25.0), 0.0);
  EXPECT_EQ(less_is_better.closed(-15.0), 0.5);
  EXPECT_EQ(less_is_better.closed(-5.0), 1.0);
}

TEST(TrivialOrders, ListedLooksAtTheFirstConfigurationsOnly) {
  scenarios::Scenario scenario = read_scenario(tiny_member(1));
  scenario.budget.trials = 5;
  const Gap gap{.baseline = 1.0, .best = 3.0};
  const auto best_at = [&](std::uint64_t best) {
    return trivial_orders(scenario, gap, judge_by([best](std::uint64_t number) {
                            return number == best ? runs_at(3.0) : runs_at(1.0);
                          }))
        .listed;
  };
  EXPECT_EQ(best_at(4), 1.0);
  EXPECT_EQ(best_at(5), 0.0);
}

TEST(TrivialOrders, CornersLookAtCornersOnly) {
  const scenarios::Scenario scenario = read_scenario(tiny_member(1));
  std::vector<bool> is_corner(scenario.space.count());
  scenarios::Configuration corner(scenario.space.size());
  for (std::uint64_t ends = 0; ends < scenarios::corner_count(scenario.space); ++ends) {
    scenarios::corner_at(scenario.space, ends, corner);
    is_corner[scenario.space.number_of(corner)] = true;
  }
  const Gap gap{.baseline = 1.0, .best = 2.0};
  const auto corners_when = [&](bool good) {
    return trivial_orders(scenario, gap, judge_by([&](std::uint64_t number) {
                            return is_corner[number] == good ? runs_at(2.0) : fails();
                          }))
        .corners;
  };
  EXPECT_DOUBLE_EQ(corners_when(true), 1.0);
  EXPECT_EQ(corners_when(false), 0.0);
}

TEST(Corner, OfAllFirstsIsTheFirstConfiguration) {
  const scenarios::Scenario scenario = read_scenario(tiny_member(1));
  scenarios::Configuration corner(scenario.space.size());
  scenarios::corner_at(scenario.space, 0, corner);
  EXPECT_EQ(scenario.space.number_of(corner), 0U);
  scenarios::corner_at(scenario.space, scenarios::corner_count(scenario.space) - 1, corner);
  EXPECT_EQ(scenario.space.number_of(corner), scenario.space.count() - 1);
}

}  // namespace
}  // namespace cubicbench::datasets
