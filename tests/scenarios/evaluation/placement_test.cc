// What a scenario says of its place in the cluster reaches the physics.
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "scenarios/evaluation/evaluate.h"
#include "scenarios/readers/network_reader.h"
#include "scenarios/readers/scenario_reader.h"

namespace cubicbench::scenarios {
namespace {

Scenario placed(const std::string& placement) {
  const std::vector<std::string> sets{"cluster.placement=" + placement};
  return read_scenario("llama3-405b", sets);
}

/// A step of the Llama 3 cluster's baseline, placed so.
double step_s(const std::string& placement) {
  const Scenario scenario = placed(placement);
  EXPECT_EQ(placement_names()[static_cast<std::size_t>(scenario.cluster.placement)], placement);
  sim::Workspace workspace;
  const sim::StepReport report = evaluate(scenario, scenario.baseline, workspace);
  EXPECT_EQ(report.status, sim::StepStatus::ok);
  return report.step.value;
}

TEST(Placement, ScatteringAJobOverOversubscribedPodsCostsTime) {
  const double packed = step_s("packed");
  EXPECT_GT(step_s("scattered"), 1.001 * packed);
  EXPECT_GT(step_s("partly_used"), 0.999 * packed);
  EXPECT_LT(step_s("partly_used"), step_s("scattered"));
}

TEST(Placement, IsPartOfWhatAScenarioIs) {
  EXPECT_NE(placed("packed").sha256, placed("scattered").sha256);
}

}  // namespace
}  // namespace cubicbench::scenarios
