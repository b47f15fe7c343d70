// GPU counts that vary and deadlines in scenario files, and what is wrong with them.
#include <gtest/gtest.h>

#include <string>

#include "scenarios/readers/scenario_canonical.h"
#include "scenarios/readers/scenario_reader.h"
#include "tests/scenarios/broken_file.h"

namespace cubicbench::scenarios {
namespace {

TEST(GpuCountInput, ReadsBoth) {
  const Scenario scenario = read_scenario(test_scenario("cost-7b"));
  EXPECT_EQ(scenario.cluster.gpus, 256);
  EXPECT_EQ(scenario.baseline.gpus, 256);
  EXPECT_EQ(scenario.settings.gpus, 0);
  EXPECT_EQ(scenario.objective.metric, Metric::tokens_per_gpu_hour);
  EXPECT_EQ(scenario.objective.direction, Direction::maximize);
  EXPECT_EQ(scenario.objective.deadline, (Deadline{.tokens = 2e12, .days = 30.0}));
  const std::string canonical = canonical_text(scenario, scenario.baseline);
  EXPECT_NE(canonical.find(R"("deadline":{"days":30,"tokens":2000000000000})"), std::string::npos)
      << canonical;
  EXPECT_EQ(
      read_scenario(test_scenario("cost-7b"), std::vector<std::string>{"gpus=64"}).baseline.gpus,
      64);
}

TEST(GpuCountInput, ProblemsWithoutThemKeepTheirNames) {
  const Scenario scenario = read_scenario("llama3-8b");
  const std::string canonical = canonical_text(scenario, scenario.baseline);
  EXPECT_EQ(canonical.find("deadline"), std::string::npos);
  EXPECT_EQ(canonical.find("\"gpus\":0"), std::string::npos);
}

TEST(GpuCountInput, SaysWhatIsWrong) {
  struct Case {
    const char* pointer;
    const char* value;
    const char* message;
  };
  for (const Case& c : {
           Case{"/space/parameters/0/values", "[64, 512]",
                "s.json#/space/parameters/0/values: expected at most /cluster/gpus (256), got 512"},
           Case{"/space/parameters/0/values", "[4, 12]",
                "s.json#/space/parameters/0/values: expected a multiple of /cluster/gpus_per_node "
                "(8), got 12"},
           Case{"/space/parameters/0/values", "[0, 8]",
                "s.json#/space/parameters/0/values/0: expected an integer in [1, 131072], got 0"},
           Case{"/settings/gpus", "512",
                "s.json#/settings/gpus: expected at most /cluster/gpus (256), got 512"},
           Case{"/baseline/gpus", "24",
                "s.json#/baseline/gpus: expected one of 32, 48, 64, 96, 128, 192, 256, got 24"},
           Case{"/baseline/tensor_parallel", "3",
                "s.json#/baseline/tensor_parallel: expected a divisor of "
                "/workload/attention_heads (32), got 3\n"
                "s.json#/baseline/gpus: expected a multiple of tensor_parallel x "
                "pipeline_parallel x context_parallel (3), got 256"},
           Case{"/objective/deadline/days", "0",
                "s.json#/objective/deadline/days: expected a number in [0.001, 36500], got 0"},
           Case{"/objective/deadline/days", "-3",
                "s.json#/objective/deadline/days: expected a number in [0.001, 36500], got -3"},
           Case{"/objective/deadline/tokens", "null",
                "s.json#/objective/deadline/tokens: expected a number in [1, 1e+18], got nothing"},
           Case{"/objective/deadline/hours", "3", "s.json#/objective/deadline/hours: unknown key"},
           Case{"/objective/deadline", "30",
                "s.json#/objective/deadline: expected an object, got 30"},
       }) {
    SCOPED_TRACE(c.pointer);
    EXPECT_EQ(message_after("cost-7b", c.pointer, c.value), c.message);
  }
}

TEST(GpuCountInput, IsOfScenariosThatLetItVary) {
  EXPECT_EQ(
      message_after("llama3-8b", "/settings/gpus", "32"),
      "s.json#/settings/gpus: expected no number, as /space has no parameter \"gpus\" and all "
      "of /cluster/gpus are used, got 32");
  EXPECT_EQ(message_after("llama3-8b", "/baseline/gpus", "32"),
            "s.json#/baseline/gpus: expected 64, which is no parameter of the space, got 32");
  EXPECT_EQ(message_of("llama3-8b", {"gpus=32"}),
            "--set gpus=32: unknown setting; did you mean --set cluster.gpus=32?");
  EXPECT_EQ(message_of(test_scenario("cost-7b"), {"gpus=512"}),
            "--set gpus=512: expected at most /cluster/gpus (256), got 512");
  EXPECT_EQ(message_of(test_scenario("cost-7b"), {"gpus=60"}),
            "--set gpus=60: expected a multiple of /cluster/gpus_per_node (8), got 60");
  EXPECT_EQ(message_of(test_scenario("cost-7b"), {"world_size=64"}),
            "--set world_size=64: unknown setting; did you mean --set gpus=64?");
}

TEST(GpuCountInput, IsOfTransformers) {
  EXPECT_EQ(message_after("dlrm-dcnv2", "/objective/deadline", R"({"tokens": 1e12, "days": 3})"),
            "s.json#/objective/deadline: expected none, as a recommendation model has no tokens");
  EXPECT_EQ(message_after("dlrm-dcnv2", "/objective/metric", "\"tokens_per_gpu_hour\""),
            "s.json#/objective/metric: expected one of step_time_s, samples_per_s, mfu, "
            "samples_per_joule, samples_per_usd, as a recommendation model has no tokens, got "
            "\"tokens_per_gpu_hour\"");
  EXPECT_EQ(message_after("dlrm-dcnv2", "/space/parameters/0",
                          R"({"name": "gpus", "type": "ordinal", "values": [4, 8]})")
                .substr(0, 92),
            "s.json#/space/parameters/0/name: \"gpus\" is a setting of transformers; this scenario "
            "trains a");
}

}  // namespace
}  // namespace cubicbench::scenarios
