#include "datasets/fits/law_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "datasets/mapping/library.h"
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

/// What separates a stack from the laws: shares of 0 and 1 are switches, and so is adding up what
/// host and device take (1).
bool is_switch(double value) { return value == 0.0 || value == 1.0; }

/// Numbers that `stack` has in place of those of `laws`.
std::vector<std::string> overrides_of(const sim::Stack& stack, const sim::Stack& laws) {
  std::vector<std::string> found;
  for (const std::string_view name :
       {"gemm_factor", "launch_us", "host_smoothness", "host_jitter_us", "element_wise_factor",
        "accumulation_bytes", "latency_per_rank_us", "overlap_cost", "tensor_overlap",
        "data_overlap", "zero1_overlap", "pipeline_overlap"}) {
    const scenarios::StackConstant& constant = *scenarios::find_stack_constant(name);
    const double value = scenarios::value_of(constant, stack);
    const double law = scenarios::value_of(constant, laws);
    if (value == law || is_switch(value)) continue;
    found.emplace_back(name);
    if (law > 0.0) {
      EXPECT_NEAR(value, law, 0.15 * law) << name;
    }
  }
  return found;
}

TEST(LawPlan, StacksDifferInSwitchesAndAtMostTwoNumbers) {
  const auto& stacks = library().stacks;
  const sim::Stack& laws = stacks.find(law_plan().of)->second;
  for (const auto& [name, stack] : stacks) {
    if (!sim::counts_kernels(stack)) continue;
    SCOPED_TRACE(name);
    EXPECT_LE(overrides_of(stack, laws).size(), 2U);
  }
}

// Trainers of transformers on GPUs stand on them, except for nanotron's, whose layers move more
// than is counted (docs/laws.md).
TEST(LawPlan, ServesTrainersOfTransformers) {
  std::vector<std::string> own;
  for (const auto& [name, stack] : library().stacks) {
    if (!sim::counts_kernels(stack)) own.push_back(name);
  }
  EXPECT_THAT(
      own, testing::UnorderedElementsAre(
               "ads-fsdp-2024", "hugectr-2020", "hugectr-2023", "hugectr-2023-04", "nanotron-2024",
               "nvidia-examples-2022", "oneflow-recommendation-2020", "oneflow-recommendation-2021",
               "recsys-hstu-2026", "recsys-hstu-triton-2026", "torchrec-2022"));
}

std::string law_refusal_of(const std::string& constants) {
  try {
    read_law_plan(R"({"schema": "cubicbench.laws/1", "name": "a", "stack": "laws", "reason": "b",
                      "tables": ["vtrain"], "constants": [)" +
                      constants + "]}",
                  "l.json");
  } catch (const support::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(LawPlan, NamesEveryProblem) {
  constexpr const char* good =
      R"({"constant": "launch_us", "expected": 50, "spread": 0.3, "why": "counted"})";
  EXPECT_EQ(law_refusal_of(good), "");
  EXPECT_THAT(law_refusal_of(R"({"constant": "launch", "expected": 1, "spread": 1, "why": "x"})"),
              HasSubstr("expected a constant of a stack, got \"launch\""));
  EXPECT_THAT(law_refusal_of(R"({"constant": "host_factor", "devices": ["a1000"], "expected": 1,
                             "spread": 1, "why": "x"})"),
              HasSubstr("expected a device of the library, got \"a1000\""));
}

}  // namespace
}  // namespace cubicbench::datasets
