#include <gtest/gtest.h>

#include <algorithm>

#include "datasets/landscape/landscape.h"
#include "scenarios/readers/scenario_reader.h"

namespace cubicbench::datasets {
namespace {

TEST(ScenarioLandscape, MatchesEnumeration) {
  const scenarios::Scenario scenario = scenarios::read_scenario("tiny-gpt", {});
  const scenarios::Instance instance(scenario, 0);
  sim::Workspace workspace;
  scenarios::Configuration configuration(scenario.space.size());
  const double baseline = instance.true_value(scenario.baseline, workspace).value;
  double best = 0.0;
  std::uint64_t better = 0;
  std::uint64_t running = 0;
  for (std::uint64_t number = 0; number < scenario.space.count(); ++number) {
    scenario.space.configuration_at(number, configuration);
    const scenarios::TrueValue truth = instance.true_value(configuration, workspace);
    if (truth.reason != scenarios::Reason::none) continue;
    ++running;
    best = std::max(best, truth.value);
    better += truth.value > baseline ? 1U : 0U;
  }
  const ScenarioLandscape all = scenario_landscape(scenario, 0, 1'000'000, 1);
  EXPECT_TRUE(all.landscape.exhaustive());
  EXPECT_EQ(all.landscape.running(), running);
  EXPECT_EQ(all.landscape.best_known->value, best);
  EXPECT_EQ(all.landscape.share_better, static_cast<double>(better) / static_cast<double>(running));
  // and what a sample of a third of it says
  const ScenarioLandscape third = scenario_landscape(scenario, 0, 400, 1);
  EXPECT_EQ(third.landscape.best_known->value, best);
  for (std::size_t i = 0; i < all.landscape.importance.size(); ++i) {
    EXPECT_NEAR(*third.landscape.importance[i].main, *all.landscape.importance[i].main, 0.1) << i;
    EXPECT_NEAR(*third.landscape.importance[i].total, *all.landscape.importance[i].total, 0.1) << i;
  }
}

}  // namespace
}  // namespace cubicbench::datasets
