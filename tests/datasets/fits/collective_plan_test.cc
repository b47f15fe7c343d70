#include "datasets/fits/collective_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <string>

#include "support/input_error.h"

namespace cubicbench::datasets {
namespace {

using testing::HasSubstr;

constexpr std::size_t domain_constants_max = 18;  // of a device generation
constexpr std::size_t family_constants_max = 6;   // of a fabric class and family of collectives

/// "reduce" of "reduce.low_share"; "" of a number in no table.
std::string table_of(const std::string& name) {
  const std::size_t dot = name.find('.');
  return dot == std::string::npos ? "" : name.substr(0, dot);
}

TEST(CollectivePlans, FitFewNumbersOfAFile) {
  EXPECT_FALSE(collective_plans().empty());
  for (const CollectivePlan& plan : collective_plans()) {
    SCOPED_TRACE(plan.of);
    EXPECT_LE(plan.fit.size(), domain_constants_max);
    std::map<std::string, std::size_t> of_families;
    for (const std::string& name : plan.fit) ++of_families[table_of(name)];
    for (const auto& [family, count] : of_families) EXPECT_LE(count, family_constants_max);
  }
}

TEST(CollectivePlans, AreFoundByTheirFile) {
  const CollectivePlan* const plan = find_collective_plan("nvlink5");
  ASSERT_NE(plan, nullptr);
  EXPECT_THAT(plan->tables, testing::Contains("xla_collective_tables"));
  EXPECT_THAT(plan->fit, testing::Contains("nvls.share"));
  EXPECT_EQ(find_collective_plan("mine"), nullptr);
}

std::string refusal_of(const std::string& plans) {
  try {
    read_collective_plans(R"({"collectives": [)" + plans + "]}", "c.json");
  } catch (const support::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(CollectivePlans, NameEveryProblem) {
  struct Case {
    const char* plan;
    const char* message;
  };
  constexpr const char* good =
      R"({"name": "nvlink5", "fit": ["ll.share"], "tables": ["xla_collective_tables"], "reason": "r"})";
  EXPECT_EQ(refusal_of(good), "");
  for (
      const Case& c : {
          Case{
              R"({"name": "nvlink9", "fit": ["ll.share"], "tables": ["xla_collective_tables"], "reason": "r"})",
              "c.json#/collectives/1/name: expected a file of scenarios/collectives, got "
              "\"nvlink9\""},
          Case{
              R"({"name": "nvlink5", "fit": ["ll.share"], "tables": ["xla_collective_tables"], "reason": "r"})",
              "c.json#/collectives/1/name: expected every name once, got \"nvlink5\" again"},
          Case{
              R"({"name": "ib", "fit": ["ll.share"], "tables": ["xla_collective_tables"], "reason": "r"})",
              "c.json#/collectives/1/fit/0: expected a number of that file, got \"ll.share\""},
          Case{R"({"name": "ib", "fit": [], "tables": ["xla_collective_tables"], "reason": "r"})",
               "c.json#/collectives/1/fit: expected names, got none"},
          Case{R"({"name": "ib", "fit": ["reduce.share"], "tables": ["vtrain"], "reason": "r"})",
               "c.json#/collectives/1/tables/0: expected a table of collectives that ships, got "
               "\"vtrain\""},
      }) {
    SCOPED_TRACE(c.plan);
    EXPECT_THAT(refusal_of(std::string(good) + ", " + c.plan), HasSubstr(c.message));
  }
}

}  // namespace
}  // namespace cubicbench::datasets
