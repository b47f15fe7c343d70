#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace cubicbench::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(SimulateRecommendation, JsonHasSamplesAndNoTokens) {
  const Answer answer = ask("simulate ads-73b --json");
  ASSERT_EQ(answer.code, 0) << answer.err;
  const auto document = nlohmann::ordered_json::parse(answer.out);
  EXPECT_EQ(document["status"], "ok");
  EXPECT_TRUE(document["tokens_per_s"].is_null());
  EXPECT_TRUE(document["tokens_per_s_per_gpu"].is_null());
  const double step = document["step_time_s"].get<double>();
  EXPECT_NEAR(document["samples_per_s"].get<double>(), 128.0 * 3072.0 / step, 1e-3);
  EXPECT_EQ(document["mfu"], document["mfu_6n"]);
  EXPECT_EQ(document["objective"]["metric"], "samples_per_s");
  EXPECT_EQ(document["config"]["embedding_replicate_below_gib"], 0);
  EXPECT_TRUE(document["in_space"].get<bool>());
  double sum = 0.0;
  for (const auto& part : document["breakdown"]) sum += part["seconds"].get<double>();
  EXPECT_NEAR(sum / step, 1.0, 1e-9);
}

TEST(SimulateRecommendation, TextDescribesTablesAndSamples) {
  const std::string text = ask("simulate ads-73b").out;
  for (const char* line : {"workload    72.96 B parameters: 56.00 B in 788 tables, 16.96 B dense;",
                           "layout      tables planner in fp32, dense arch no_shard, sequence arch",
                           "batch       393,216 samples, 3,072 a GPU", "samples/s a GPU",
                           "(three times the products of a forward pass)", "bound by",
                           "Memory of the rank that needs most"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
  EXPECT_THAT(text, Not(HasSubstr("tokens")));
  EXPECT_THAT(text, Not(HasSubstr("stage")));
}

TEST(SimulateRecommendation, SaysWhyItDoesNotFit) {
  const Answer answer = ask("simulate ads-73b-dense-heavy --set over_sharding=no_shard --json");
  ASSERT_EQ(answer.code, 0) << answer.err;
  const auto document = nlohmann::ordered_json::parse(answer.out);
  EXPECT_EQ(document["status"], "oom_init");
  EXPECT_FALSE(document["in_space"].get<bool>());
  EXPECT_THAT(document["why"].get<std::string>(), HasSubstr("the fullest rank needs "));
  EXPECT_THAT(document["why"].get<std::string>(), HasSubstr(" at startup, and the device leaves "));
}

TEST(SimulateRecommendation, RefusesSettingsOfTransformers) {
  const Answer answer = ask("simulate ads-73b --set tensor_parallel=2");
  EXPECT_EQ(answer.code, 2);
  EXPECT_EQ(answer.out, "");
  EXPECT_THAT(answer.err, HasSubstr("--set tensor_parallel=2: setting of transformers; this "
                                    "scenario trains a recommendation model"));
}

TEST(SimulateTransformer, TextNamesTheBindingResource) {
  EXPECT_THAT(ask("simulate tiny-gpt").out,
              HasSubstr("\nbound by    tensor cores, in attention\n"));
}

}  // namespace
}  // namespace cubicbench::cli
