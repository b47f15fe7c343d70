// Plans beyond the spaces of the library: any setting may change, so that what a part of the
// evaluation reads of a plan (sim/engine/repeated_transformer.cc) is held against what it says it
// reads.
#include "sim/engine/repeated_transformer.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <string>
#include <variant>

#include "scenarios/evaluation/evaluate.h"
#include "scenarios/readers/scenario_reader.h"
#include "tests/draws_asked.h"
#include "tests/scenarios/plan_walk.h"
#include "tests/scenarios/scenario_suite.h"

namespace cubicbench::scenarios {
namespace {

std::uint64_t plans() { return draws_asked(400); }

class RepeatedPlans : public testing::TestWithParam<std::string> {};

TEST_P(RepeatedPlans, HaveTheStepOfPlansEvaluatedOnce) {
  const Scenario scenario = read_scenario(GetParam());
  sim::RepeatedTransformer repeated(std::get<sim::Transformer>(scenario.workload), scenario.cluster,
                                    scenario.stack);
  sim::Workspace workspace;
  PlanWalk walk(scenario);
  std::uint64_t timed = 0;
  for (std::uint64_t i = 0; i < plans(); ++i) {
    const sim::Plan& plan = walk.next();
    const sim::StepReport wanted = evaluate(scenario, plan, workspace);
    const sim::StepVerdict got = repeated.evaluate(plan);
    ASSERT_EQ(got.status, wanted.status) << "plan " << i;
    if (wanted.status != sim::StepStatus::ok) continue;
    ++timed;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(got.step.value),
              std::bit_cast<std::uint64_t>(wanted.step.value))
        << "plan " << i << ": " << got.step.value << " " << wanted.step.value;
  }
  EXPECT_GE(timed, plans() / 50);  // the others say nothing of times
}

/// Steps that are longer than what matters may be any such time that is not above their own.
TEST_P(RepeatedPlans, AreToldApartUpToTheLongestStep) {
  const Scenario scenario = read_scenario(GetParam());
  sim::Workspace workspace;
  const sim::Seconds longest = evaluate(scenario, scenario.baseline, workspace).step;
  sim::RepeatedTransformer repeated(std::get<sim::Transformer>(scenario.workload), scenario.cluster,
                                    scenario.stack, longest);
  PlanWalk walk(scenario);
  for (std::uint64_t i = 0; i < plans(); ++i) {
    const sim::Plan& plan = walk.next();
    const sim::StepReport wanted = evaluate(scenario, plan, workspace);
    const sim::StepVerdict got = repeated.evaluate(plan);
    ASSERT_EQ(got.status, wanted.status) << "plan " << i;
    if (wanted.status != sim::StepStatus::ok) continue;
    if (wanted.step <= longest) {
      ASSERT_EQ(got.step, wanted.step) << "plan " << i;
    } else {
      ASSERT_GT(got.step, longest) << "plan " << i;
      ASSERT_LE(got.step, wanted.step) << "plan " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Library, RepeatedPlans, testing::ValuesIn(transformers()), name_in_suite);

}  // namespace
}  // namespace cubicbench::scenarios
