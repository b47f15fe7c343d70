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
