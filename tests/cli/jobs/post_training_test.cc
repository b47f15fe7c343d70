#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/program.h"

namespace cubicbench::cli {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

Json json_of(const std::string& words) {
  const Answer answer = ask(words + " --json");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_EQ(answer.err, "");
  return Json::parse(answer.out);
}

Json post_training_of(const std::string& words) { return json_of("post-training " + words); }

double step_of(const std::string& words) {
  return json_of("simulate " + words)["step_time_s"].get<double>();
}

TEST(PostTraining, PartsSumToTheIteration) {
  for (const char* const words :
       {"llama3-8b", "llama3-8b --method dpo", "llama3-8b --offload --generation-tensor 4",
        "llama3-8b --without-reference --steps 4 --prompts 64"}) {
    const Json json = post_training_of(words);
    ASSERT_EQ(json["status"], "ok") << words;
    double sum = 0.0;
    for (const auto& [part, seconds] : json["parts_s"].items()) {
      EXPECT_GE(seconds.get<double>(), 0.0) << part;
      sum += seconds.get<double>();
    }
    EXPECT_NEAR(sum, json["iteration_s"].get<double>(), 1e-12 * sum) << words;
    EXPECT_NEAR(json["tokens_per_s"].get<double>() * sum, json["tokens"].get<double>(), 1e-3);
  }
}

TEST(PostTraining, DpoWithAKnownReferenceIsTheTrainingStep) {
  const double step = step_of("llama3-8b");
  const Json known = post_training_of("llama3-8b --method dpo --without-reference");
  EXPECT_DOUBLE_EQ(known["iteration_s"].get<double>(), step);
  EXPECT_FALSE(known["parts_s"].contains("reference"));
  const Json computed = post_training_of("llama3-8b --method dpo");
  EXPECT_DOUBLE_EQ(computed["parts_s"]["training"].get<double>(), step);
  // A forward pass: a third of the step, or a little less where the step recomputes.
  const double share = computed["parts_s"]["reference"].get<double>() / step;
  EXPECT_GT(share, 0.2);
  EXPECT_LT(share, 0.4);
}

// 1,024 samples of 256 tokens on 64 GPUs: 4,096 tokens each, one sequence with 16 prompts.
TEST(PostTraining, WithoutResponsesNothingIsDecodedAndTheStepIsThatOfThePrompts) {
  const Json json = post_training_of("llama3-8b --response-length 0");
  EXPECT_EQ(json["parts_s"]["decode"], 0.0);
  EXPECT_EQ(json["training"]["sequences"], 64);
  EXPECT_EQ(json["training"]["tokens"], 4096);
  EXPECT_DOUBLE_EQ(json["parts_s"]["training"].get<double>(),
                   step_of("llama3-8b --set global_batch=64 --set workload.sequence=4096 "
                           "--set workload.packed_sample=256"));
}

TEST(PostTraining, TwiceTheResponsesLengthAtLeastDoublesDecoding) {
  const Json once = post_training_of("llama3-8b --response-length 512");
  const Json twice = post_training_of("llama3-8b --response-length 1024");
  EXPECT_GE(twice["generation"]["token_steps"].get<double>(),
            2.0 * once["generation"]["token_steps"].get<double>());
  EXPECT_GE(twice["parts_s"]["decode"].get<double>(),
            2.0 * once["parts_s"]["decode"].get<double>());
}

TEST(PostTraining, AnOffloadedTrainingStateLeavesRoom) {
  const Json kept = post_training_of("llama3-8b --set cluster.gpus=8");
  const Json offloaded = post_training_of("llama3-8b --set cluster.gpus=8 --offload");
  EXPECT_GT(offloaded["memory"]["generation_room_bytes"].get<double>(),
            kept["memory"]["generation_room_bytes"].get<double>());
  EXPECT_GT(offloaded["parts_s"]["offload"].get<double>(), 0.0);
  EXPECT_FALSE(kept["parts_s"].contains("offload"));
}

TEST(PostTraining, MoreStepsShareWhatWasGenerated) {
  const Json one = post_training_of("llama3-8b --prompts 64");
  const Json four = post_training_of("llama3-8b --prompts 64 --steps 4");
  EXPECT_EQ(four["parts_s"]["decode"], one["parts_s"]["decode"]);
  EXPECT_EQ(four["training"]["steps"], 4);
  EXPECT_GT(four["parts_s"]["training"].get<double>(), one["parts_s"]["training"].get<double>());
}

TEST(PostTraining, WhatDoesNotFitSaysSo) {
  const Json json = post_training_of("llama3-405b");
  EXPECT_EQ(json["status"], "oom_generation");
  EXPECT_TRUE(json["iteration_s"].is_null());
  EXPECT_FALSE(json.contains("parts_s"));
  EXPECT_THAT(json["why"].get<std::string>(), HasSubstr("generation needs "));
  const Answer text = ask("post-training llama3-405b");
  EXPECT_EQ(text.code, 0);
  EXPECT_THAT(text.out, HasSubstr("no run: generation needs "));
  const Json step = post_training_of("llama3-8b --method dpo --set micro_batch=8");
  EXPECT_EQ(step["status"], "oom_late");
}

TEST(PostTraining, RefusesWhatCannotBe) {
  struct Case {
    const char* words;
    const char* message;
  };
  for (const Case& c :
       {Case{"ads-73b", "expected a scenario with a transformer, got a recommendation model"},
        Case{"llama3-8b --longest 100",
             "--longest: expected at least the mean response, 512 tokens, got 100"},
        Case{"llama3-8b --longest 8000",
             "--longest: expected a prompt with the longest response of at most 8,192 tokens, the "
             "scenario's sequence, got 8,256"},
        Case{"llama3-8b --response-length 4000", "--response-length: expected a prompt with"},
        Case{"llama3-8b --generation-tensor 3", "--generation-tensor: expected a divisor of 32"},
        Case{"llama3-8b --method dpo --steps 2",
             "--steps: expected --method grpo beside it: dpo generates nothing"},
        Case{"llama3-8b --method ppo", "--method: expected one of dpo, grpo, got \"ppo\""},
        Case{"llama3-8b --prompts 0",
             "--prompts: expected an integer in [1, 1000000], got \"0\""}}) {
    const Answer answer = ask(std::string("post-training ") + c.words);
    EXPECT_EQ(answer.code, 2) << c.words;
    EXPECT_THAT(answer.err, HasSubstr(c.message)) << c.words;
  }
}

}  // namespace
}  // namespace cubicbench::cli
