#include "datasets/fits/law_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "scenarios/constants/constants.h"
#include "support/input_error.h"

namespace cubicbench::datasets {
namespace {

using testing::HasSubstr;

// The bar of dense models is 20 numbers, of devices and software together.
TEST(LawPlan, FitsFewConstants) {
  const LawPlan& plan = law_plan();
  EXPECT_LE(plan.constants.size(), 20U);
  for (const LawConstant& constant : plan.constants) {
    SCOPED_TRACE(constant.label);
    EXPECT_GT(constant.spread, 0.0);
    EXPECT_TRUE(constant.devices.empty()
                    ? scenarios::find_stack_constant(constant.constant) != nullptr
                    : scenarios::find_device_constant(constant.constant) != nullptr);
  }
}

TEST(LawPlan, StacksDifferInSwitchesAlone) {
  for (const SoftwareRule& rule : law_plan().software) {
    for (const std::string& name : rule.stacks) {
      SCOPED_TRACE(name);
      const sim::Stack& base = library().stacks.find(rule.base)->second;
      EXPECT_EQ(rule.law.launch, base.launch);
      EXPECT_EQ(rule.law.element_wise_factor, base.element_wise_factor);
      EXPECT_EQ(rule.law.overlap_cost, base.overlap_cost);
      EXPECT_EQ(rule.law.gemm_factor, 1.0);
      EXPECT_EQ(law_of(law_plan(), name), &rule.law);
    }
  }
  EXPECT_EQ(law_of(law_plan(), "mine"), nullptr);
}

TEST(LawPlan, ARunKeepsItsMemoryAndItsStages) {
  const sim::Stack& named = library().stacks.find("nanotron-2024")->second;
  const sim::Stack stack = with_times_of(*law_of(law_plan(), "nanotron-2024"), named);
  EXPECT_TRUE(sim::counts_kernels(stack));
  EXPECT_EQ(stack.balance, named.balance);
  EXPECT_EQ(stack.kept_per_hidden, named.kept_per_hidden);
  EXPECT_EQ(stack.communicator, named.communicator);
  EXPECT_EQ(stack.gemm_factor, 1.0);
  EXPECT_EQ(stack.latency_per_rank, sim::Seconds{36e-6});
}

std::string message_of(const std::string& constants, const std::string& software) {
  try {
    read_law_plan(R"({"schema": "cubicbench.laws/1", "name": "a", "stack": "laws", "reason": "b",
                      "tables": ["vtrain"], "constants": [)" +
                      constants + R"(], "software": [)" + software + "]}",
                  "l.json");
  } catch (const support::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(LawPlan, NamesEveryProblem) {
  constexpr const char* good =
      R"({"constant": "launch_us", "expected": 50, "spread": 0.3, "why": "counted"})";
  EXPECT_EQ(message_of(good, ""), "");
  EXPECT_THAT(message_of(R"({"constant": "launch", "expected": 1, "spread": 1, "why": "x"})", ""),
              HasSubstr("expected a constant of a stack, got \"launch\""));
  EXPECT_THAT(message_of(R"({"constant": "host_factor", "devices": ["a1000"], "expected": 1,
                             "spread": 1, "why": "x"})",
                         ""),
              HasSubstr("expected a device of the library, got \"a1000\""));
  EXPECT_THAT(message_of(good, R"({"stacks": ["megatron-2021"], "base": "megatron",
                                   "switches": {"attention": "flash9"}, "why": "x"})"),
              HasSubstr("l.json#/software/0/switches: expected"));
  EXPECT_THAT(message_of(good, R"({"stacks": ["mine"], "base": "megatron", "why": "x"})"),
              HasSubstr("expected a stack of the library, got \"mine\""));
}

}  // namespace
}  // namespace cubicbench::datasets
