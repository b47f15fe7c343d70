#include "scenarios/family/ladder.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace cubicbench::scenarios {
namespace {

using Json = nlohmann::ordered_json;

struct Read {
  Ladder ladder;
  std::vector<support::Problem> problems;
};

Read read(const char* text) {
  Read result;
  const Json json = Json::parse(text);
  support::ObjectReader in(json, "f", "/baseline", result.problems);
  result.ladder = read_ladder(in);
  return result;
}

std::vector<std::string> tried(const Ladder& ladder) {
  std::vector<std::string> all;
  climb(ladder, [&](const std::vector<Assignment>& settings) {
    std::string text;
    for (const Assignment& a : settings) {
      text += (text.empty() ? "" : " ") + std::string(a.setting->name) + "=" +
              format_setting(*a.setting, a.value);
    }
    all.push_back(text);
    return false;
  });
  return all;
}

TEST(Ladder, TriesInnerStepsBeforeTheNextOuterOne) {
  const Read got = read(R"({"source": "s", "ladder": [
    [{"micro_batch": 1}],
    {"layouts": {"tensor_parallel": [1, 2], "pipeline_parallel": [1, 2]},
     "order": [["tensor_parallel", "pipeline_parallel"], ["pipeline_parallel"]]},
    [{"recompute": "none"}, {"only": {"pipeline_parallel": [1]}, "recompute": "full", "micro_batch": 2}]]})");
  ASSERT_TRUE(got.problems.empty());
  EXPECT_EQ(tried(got.ladder),
            (std::vector<std::string>{
                "micro_batch=1 tensor_parallel=1 pipeline_parallel=1 recompute=none",
                "micro_batch=2 tensor_parallel=1 pipeline_parallel=1 recompute=full",
                "micro_batch=1 tensor_parallel=2 pipeline_parallel=1 recompute=none",
                "micro_batch=2 tensor_parallel=2 pipeline_parallel=1 recompute=full",
                "micro_batch=1 tensor_parallel=1 pipeline_parallel=2 recompute=none",
                "micro_batch=1 tensor_parallel=2 pipeline_parallel=2 recompute=none"}));
}

TEST(Ladder, EndsWhereSomethingIsFound) {
  const Read got = read(R"({"source": "s", "ladder": [[{"micro_batch": 1}, {"micro_batch": 2}]]})");
  int looks = 0;
  climb(got.ladder, [&](const auto&) { return ++looks == 1; });
  EXPECT_EQ(looks, 1);
}

TEST(Ladder, SaysWhatIsWrong) {
  const Read got = read(R"({"source": "s", "ladder": [[{"micro_batsh": 1, "recompute": "nine"}]],
                            "grow": ["batch"]})");
  ASSERT_EQ(got.problems.size(), 3U);
  EXPECT_EQ(got.problems[0].where, "f#/baseline/ladder/0/0/micro_batsh");
  EXPECT_EQ(got.problems[0].text, "unknown setting; did you mean \"micro_batch\"?");
  EXPECT_EQ(got.problems[1].where, "f#/baseline/ladder/0/0/recompute");
  EXPECT_EQ(got.problems[2].where, "f#/baseline/grow/0");
}

/// "[1, 2, ..., n]"
std::string counted_to(int n) {
  std::string list = "[1";
  for (int i = 2; i <= n; ++i) list += ", " + std::to_string(i);
  return list + "]";
}

TEST(Ladder, HasOnlySoManyConfigurations) {
  // 50 x 50 x 50 = 125,000 in one loop; 250 x 250 = 62,500 in one are allowed, but not twice each.
  const std::string cube = R"({"source": "s", "ladder": [{"order": [], "layouts": {
    "tensor_parallel": )" + counted_to(50) +
                           R"(, "pipeline_parallel": )" + counted_to(50) +
                           R"(, "context_parallel": )" + counted_to(50) + "}}]}";
  const Read too_wide = read(cube.c_str());
  ASSERT_EQ(too_wide.problems.size(), 1U);
  EXPECT_EQ(too_wide.problems[0].where, "f#/baseline/ladder/0/layouts/context_parallel");
  EXPECT_EQ(too_wide.problems[0].text, "expected at most 100000 configurations");
  const std::string square = R"({"source": "s", "ladder": [{"order": [], "layouts": {
    "tensor_parallel": )" + counted_to(250) +
                             R"(, "pipeline_parallel": )" + counted_to(250) + "}}";
  EXPECT_TRUE(read((square + "]}").c_str()).problems.empty());
  const Read too_deep = read((square + R"(, [{"micro_batch": 1}, {"micro_batch": 2}]]})").c_str());
  ASSERT_EQ(too_deep.problems.size(), 1U);
  EXPECT_EQ(too_deep.problems[0].where, "f#/baseline/ladder/1");
  EXPECT_EQ(too_deep.problems[0].text, "expected at most 100000 configurations of all loops");
}

}  // namespace
}  // namespace cubicbench::scenarios
