// Launches take what evaluate() has left of their step, and get what it would say if it were asked
// once more.
#include "scenarios/evaluation/lowered_step.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <string>

#include "scenarios/evaluation/evaluate.h"
#include "scenarios/evaluation/itemised_step.h"
#include "sim/truth/job.h"
#include "tests/draws_asked.h"
#include "tests/scenarios/plan_walk.h"
#include "tests/scenarios/scenario_suite.h"

namespace cubicbench::scenarios {
namespace {

std::uint64_t plans() { return draws_asked(400); }

std::uint64_t bits(sim::Seconds time) { return std::bit_cast<std::uint64_t>(time.value); }

void expect_same_step(const sim::StepReport& got, const sim::StepReport& wanted) {
  EXPECT_EQ(got.status, wanted.status);
  EXPECT_EQ(bits(got.step), bits(wanted.step));
  for (std::size_t i = 0; i < wanted.parts.size(); ++i) {
    EXPECT_EQ(bits(got.parts[i]), bits(wanted.parts[i])) << i;
  }
}

/// How many of the plans a launch times.
struct Asked {
  int roomy = 0;
  int timed = 0;
};

/// What evaluate() has left in `workspace` against new evaluations.
void expect_as_evaluated_again(const Scenario& scenario, const sim::Plan& plan,
                               sim::Workspace& workspace, Asked& asked) {
  sim::StepReport timed = evaluate(scenario, plan, workspace);
  if (timed.status == sim::StepStatus::oom_late) {
    timed = roomy_step(scenario, plan, workspace);
    ++asked.roomy;
    sim::Workspace another;
    expect_same_step(timed, evaluate_roomy(scenario, plan, scenario.cluster.state, another));
  }
  if (timed.status != sim::StepStatus::ok) return;
  ++asked.timed;
  const sim::Seconds got = step_between_nodes(scenario, plan, timed, workspace);
  const sim::ItemisedStep items = itemised_roomy_step(scenario, plan, workspace);
  EXPECT_EQ(bits(got), bits(sim::exposed_between_nodes(timed, items))) << got.value;
}

class LoweredStep : public testing::TestWithParam<std::string> {};

TEST_P(LoweredStep, IsThatOfPlansEvaluatedOnceMore) {
  const Scenario scenario = read_scenario(GetParam());
  sim::Workspace workspace;
  PlanWalk walk(scenario);
  Asked asked;
  for (std::uint64_t i = 0; i < plans() && !HasFailure(); ++i) {
    SCOPED_TRACE("plan " + std::to_string(i));
    expect_as_evaluated_again(scenario, walk.next(), workspace, asked);
  }
  EXPECT_GE(asked.timed, static_cast<int>(plans() / 50));  // the others say nothing
}

TEST_P(LoweredStep, IsThatOfConfigurationsEvaluatedOnceMore) {
  const Scenario scenario = read_scenario(GetParam());
  sim::Workspace workspace;
  Configuration configuration(scenario.space.size());
  sim::Plan plan;
  Asked asked;
  for (std::uint64_t draw = 0; draw < plans() && !HasFailure(); ++draw) {
    SCOPED_TRACE("draw " + std::to_string(draw));
    scenario.space.sample(7, draw, configuration);
    scenario.space.apply(configuration, plan);
    expect_as_evaluated_again(scenario, plan, workspace, asked);
  }
  EXPECT_GT(asked.timed, 0);
}

INSTANTIATE_TEST_SUITE_P(Library, LoweredStep, testing::ValuesIn(transformers()), name_in_suite);

}  // namespace
}  // namespace cubicbench::scenarios
