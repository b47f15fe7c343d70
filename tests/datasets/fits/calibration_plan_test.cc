#include "datasets/fits/calibration_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>

#include "support/input_error.h"

namespace cubicbench::datasets {
namespace {

using testing::HasSubstr;

constexpr std::size_t stack_constants_max = 6;   // of a release line
constexpr std::size_t device_constants_max = 8;  // of a device

TEST(CalibrationPlans, FitFewConstantsOfAStackOrADevice) {
  std::map<std::pair<CalibrationSubject, std::string>, std::size_t> constants;
  for (const CalibrationPlan& plan : calibration_plans()) {
    constants[{plan.subject, plan.of}] += plan.fit.size();
  }
  EXPECT_FALSE(constants.empty());
  for (const auto& [subject, count] : constants) {
    const bool of_stack = subject.first == CalibrationSubject::stack;
    EXPECT_LE(count, of_stack ? stack_constants_max : device_constants_max) << subject.second;
  }
}

TEST(CalibrationPlans, AreFoundByNameAndBySubject) {
  const CalibrationPlan* const plan = find_calibration_plan("nanotron-2024");
  ASSERT_NE(plan, nullptr);
  EXPECT_EQ(plan->subject, CalibrationSubject::stack);
  EXPECT_EQ(plan->of, "nanotron-2024");
  EXPECT_EQ(plan->rows.front().table, "hf_ultrascale_nanotron_sweep");
  const auto of_stack = calibration_plans_of(CalibrationSubject::stack, "nanotron-2024");
  EXPECT_EQ(of_stack.front(), plan);
  EXPECT_TRUE(calibration_plans_of(CalibrationSubject::device, "nanotron-2024").empty());
  EXPECT_EQ(find_calibration_plan("mine"), nullptr);
}

std::string message_of(const std::string& plans) {
  try {
    read_calibration_plans(
        R"({"schema": "cubicbench.calibrations/1", "calibrations": [)" + plans + "]}", "c.json");
  } catch (const support::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(CalibrationPlans, NameEveryProblem) {
  struct Case {
    const char* plan;
    const char* message;
  };
  constexpr const char* good =
      R"({"name": "a", "stack": "megatron-2021", "fit": ["gemm_factor"],
          "rows": [{"table": "vtrain"}], "reason": "r"})";
  EXPECT_EQ(message_of(good), "");
  EXPECT_THAT(message_of(std::string(good) + "," + good),
              HasSubstr("c.json#/calibrations/1: expected a name of its own, got \"a\" again"));
  EXPECT_THAT(message_of(std::string(good) + "," + good),
              HasSubstr("c.json#/calibrations/1: expected a constant of megatron-2021 once, got "
                        "gemm_factor again"));
  const std::string message = message_of(R"(
      {"name": "", "stack": "megatron-2022", "fit": ["gem_factor"],
       "rows": [{"table": "vtrains", "part": "sc22", "device": "a100", "family": ""}],
       "reason": ""},
      {"name": "b", "stack": "megatron-2021", "device": "a100-sxm-80gb", "fit": [],
       "left_out": "all", "rows": []},
      {"name": "c", "stack": "hugectr-2023", "fit": ["lookup_factor"],
       "rows": [{"table": "mlperf_dlrm_results", "family": "f"}], "reason": "r"})");
  for (const char* const text :
       {"c.json#/calibrations/0/name: expected a text, got \"\"",
        "c.json#/calibrations/0/stack: expected a stack of the library, got \"megatron-2022\"; did "
        "you mean \"megatron-2021\"?",
        "c.json#/calibrations/0/fit/0: expected a constant of a stack, got \"gem_factor\"; did you "
        "mean \"gemm_factor\"?",
        "c.json#/calibrations/0/rows/0/table: expected a table that ships, got \"vtrains\"; did "
        "you mean \"vtrain\"?",
        "c.json#/calibrations/0/rows/0/part: expected a part of parts.json, got \"sc22\"",
        "c.json#/calibrations/0/rows/0/device: expected a device of the library, got \"a100\"",
        "c.json#/calibrations/0/rows/0/family: expected a text, got \"\"",
        "c.json#/calibrations/0/reason: expected a text, got \"\"",
        "c.json#/calibrations/1/device: expected a stack or a device, got both",
        "c.json#/calibrations/1/fit: expected names of constants, got none",
        "c.json#/calibrations/1/rows: expected tables, got none",
        "c.json#/calibrations/1/left_out: expected one of model, generation, row, got "
        "\"all\"",
        "c.json#/calibrations/2/rows/0/family: expected none with a table of recommendation "
        "results",
        "c.json#/calibrations/1/reason: "}) {
    EXPECT_THAT(message, HasSubstr(text));
  }
}

}  // namespace
}  // namespace cubicbench::datasets
