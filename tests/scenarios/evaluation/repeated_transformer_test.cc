// Plans beyond the spaces of the library: any setting may change, so that what a part of the
// evaluation reads of a plan (sim/engine/repeated_transformer.cc) is held against what it says it
// reads.
#include "sim/engine/repeated_transformer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "scenarios/catalog.h"
#include "scenarios/evaluation/evaluate.h"
#include "scenarios/readers/scenario_reader.h"
#include "sim/base/philox.h"
#include "tests/draws_asked.h"
#include "tests/scenarios/scenario_suite.h"

namespace cubicbench::scenarios {
namespace {

std::uint64_t plans() { return draws_asked(400); }

std::vector<std::string> transformers() {
  std::vector<std::string> names = model_scenarios();
  std::erase_if(names, [](const std::string& name) {
    return !std::holds_alternative<sim::Transformer>(read_scenario(name).workload);
  });
  return names;
}

/// A walk through plans: most steps change one setting, some go back to the baseline.
class PlanWalk {
 public:
  explicit PlanWalk(const Scenario& scenario) : scenario_(scenario), plan_(scenario.baseline) {
    for (const Setting& setting : settings()) {
      if (belongs(setting, kind_of(scenario.workload))) settings_.push_back(&setting);
    }
  }

  const sim::Plan& next() {
    if (below(12) == 0) plan_ = scenario_.baseline;
    const Setting& setting = *settings_[below(settings_.size())];
    // Small numbers and small powers of two: larger ones divide nothing.
    const std::uint64_t numbers = static_cast<std::uint64_t>(setting.max - setting.min) + 1;
    const std::int64_t code =
        below(2) == 0
            ? setting.min + static_cast<std::int64_t>(below(std::min<std::uint64_t>(numbers, 8)))
            : std::clamp(std::int64_t{1} << below(7), setting.min, setting.max);
    setting.apply(plan_, code);
    return plan_;
  }

 private:
  std::uint64_t below(std::uint64_t bound) {
    return sim::uniform_below(
        {.seed = 31, .purpose = sim::Purpose::test, .entity = drawn_++, .draw = 0}, bound);
  }

  const Scenario& scenario_;
  sim::Plan plan_;
  std::vector<const Setting*> settings_;
  std::uint64_t drawn_ = 0;
};

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
