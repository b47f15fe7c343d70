#include "datasets/problem/oom_cliff.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "datasets/problem/table_scenario.h"
#include "scenarios/problem/trial_outcome.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Scenario;
using scenarios::TrialOutcome;

/// Values in the order of the space's numbers; 0 of what fails.
std::vector<double> values_of(const Scenario& scenario) {
  std::vector<double> values;
  for (const std::vector<TrialOutcome>& runs : scenario.measured->of_configuration) {
    EXPECT_EQ(runs.size(), 1U);
    values.push_back(runs.front().value.value_or(0.0));
  }
  return values;
}

/// The expected best of k draws without replacement: sum of y_i C(i - 1, k - 1) / C(N, k) over
/// values in rising order, i from 1.
double best_of(std::size_t k, std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto count = static_cast<double>(values.size());
  const auto draws = static_cast<double>(k);
  double share = draws / count;  // C(N - 1, k - 1) / C(N, k), of the largest
  double sum = 0.0;
  for (std::size_t i = values.size(); i >= k; --i) {
    sum += share * values[i - 1];
    const auto rank = static_cast<double>(i);
    share *= (rank - draws) / (rank - 1.0);
  }
  return sum;
}

TEST(OomCliff, IsTheToyThatItsFormulaSays) {
  struct Case {
    const char* scenario;
    double share_ok;
    double best;
    double of_30;
    double of_100;
  };
  // The last two by an independent program (log-gamma), as shares of the best.
  for (const Case& c : {Case{"oom-cliff-toy", 0.8743, 1.37608, 0.8975, 0.9372},
                        Case{"oom-cliff-toy-40gb", 0.7142, 1.27677, 0.8957, 0.9373}}) {
    SCOPED_TRACE(c.scenario);
    const Scenario scenario = read_scenario(c.scenario);
    EXPECT_EQ(scenario.space.count(), 9'216U);
    EXPECT_EQ(scenario.budget.trials, 100);
    const std::vector<double> values = values_of(scenario);
    const auto failed = std::count(values.begin(), values.end(), 0.0);
    EXPECT_NEAR(1.0 - static_cast<double>(failed) / 9'216.0, c.share_ok, 1e-4);
    const double best = *std::max_element(values.begin(), values.end());
    EXPECT_NEAR(best, c.best, 1e-5);
    EXPECT_NEAR(best_of(30, values) / best, c.of_30, 1e-4);
    EXPECT_NEAR(best_of(100, values) / best, c.of_100, 1e-4);
  }
}

TEST(OomCliff, SaysHowFarAFailureWas) {
  const Scenario scenario = read_scenario("oom-cliff-toy");
  // m = 1, t = 1, p = 1, unsharded, nothing recomputed: 140 + 9 + 0.02 x 25 = 149.5 of 80 GB.
  const scenarios::Placement placement = scenario.space.from_assignment(
      std::vector<scenarios::Assignment>{{scenarios::find_setting("micro_batch"), 1},
                                         {scenarios::find_setting("tensor_parallel"), 1},
                                         {scenarios::find_setting("pipeline_parallel"), 1},
                                         {scenarios::find_setting("sharding"), 0},
                                         {scenarios::find_setting("recompute"), 0},
                                         {scenarios::find_setting("forward_prefetch"), 0},
                                         {scenarios::find_setting("wrap"), 25}});
  ASSERT_TRUE(placement.in_space());
  const std::uint64_t number = scenario.space.number_of(placement.configuration);
  const TrialOutcome& outcome = scenario.measured->of_configuration[number].front();
  EXPECT_EQ(outcome.state, scenarios::TrialState::fail);
  EXPECT_EQ(outcome.reason, scenarios::Reason::oom_late);
  EXPECT_NEAR(metric_of(outcome, "over_bytes").value_or(0.0), 69.5e9, 1.0);
  for (const std::vector<TrialOutcome>& runs : scenario.measured->of_configuration) {
    EXPECT_EQ(metric_of(runs.front(), "over_bytes").has_value(), !runs.front().value.has_value());
  }
}

TEST(OomCliff, HasBothLimitsInOneTable) {
  const std::string text = oom_cliff_csv();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1 + 2 * 9'216);
  EXPECT_EQ(text, oom_cliff_csv());
}

}  // namespace
}  // namespace cubicbench::datasets
