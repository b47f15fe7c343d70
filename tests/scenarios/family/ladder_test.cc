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

}  // namespace
}  // namespace cubicbench::scenarios
