#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/program.h"

namespace cubicbench::cli {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

Json goodput_of(const std::string& words) {
  const Answer answer = ask("goodput " + words + " --json");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_EQ(answer.err, "");
  return Json::parse(answer.out);
}

// [Llama3, section 3.3.4]: more than 90 % effective training time in 54 days on 16,384 GPUs.
TEST(Goodput, OfLlama3IsThePublishedNinetyPercent) {
  const Json json = goodput_of("llama3-405b");
  EXPECT_NEAR(json["goodput"].get<double>(), 0.90, 0.03);
  EXPECT_NEAR(json["failures_per_day"].get<double>() * 54.0, 419.0, 1e-6);
}

TEST(Goodput, SharesSumToOneAndTheFirstIsTheGoodput) {
  for (const char* const words :
       {"llama3-405b", "ads-73b --days 7", "llama3-8b --checkpoint synchronous",
        "llama3-405b --interval 3600 --spares 2 --repair 100"}) {
    const Json json = goodput_of(words);
    double sum = 0.0;
    for (const auto& [use, share] : json["shares"].items()) {
      EXPECT_GE(share.get<double>(), 0.0) << use;
      sum += share.get<double>();
    }
    EXPECT_NEAR(sum, 1.0, 1e-12) << words;
    EXPECT_EQ(json["shares"]["steps"], json["goodput"]) << words;
  }
}

TEST(Goodput, TheBestIntervalLeavesMoreThanAnother) {
  const double best = goodput_of("llama3-405b --checkpoint synchronous")["goodput"];
  EXPECT_GT(best, goodput_of("llama3-405b --checkpoint synchronous --interval 60")["goodput"]);
  EXPECT_GT(best, goodput_of("llama3-405b --checkpoint synchronous --interval 7200")["goodput"]);
}

TEST(Goodput, MoreSparesWaitLess) {
  const double none = goodput_of("llama3-405b --spares 0")["shares"]["waiting"];
  const double some = goodput_of("llama3-405b --spares 8")["shares"]["waiting"];
  const double many = goodput_of("llama3-405b --spares 40")["shares"]["waiting"];
  EXPECT_GT(none, some);
  EXPECT_GT(some, many);
  EXPECT_LT(many, 1e-6);
  EXPECT_FALSE(goodput_of("llama3-405b")["shares"].contains("waiting"));
}

TEST(Goodput, FewerGpusFailLessOften) {
  const double large = goodput_of("llama3-405b")["failures_per_day"];
  const double half = goodput_of("llama3-405b --set cluster.gpus=8192")["failures_per_day"];
  EXPECT_DOUBLE_EQ(half, 0.5 * large);
}

TEST(Goodput, OfWhatDoesNotRunSaysWhy) {
  const Json json = goodput_of("llama3-405b --set tensor_parallel=1 --set pipeline_parallel=1");
  EXPECT_NE(json["status"], "ok");
  EXPECT_TRUE(json["goodput"].is_null());
  EXPECT_FALSE(json.contains("shares"));
  const Answer text = ask("goodput llama3-405b --set tensor_parallel=1 --set pipeline_parallel=1");
  EXPECT_EQ(text.code, 0);
  EXPECT_THAT(text.out, HasSubstr("no run: "));
}

TEST(Goodput, RefusesWhatCannotBe) {
  const Answer early = ask("goodput llama3-405b --interval 1");
  EXPECT_EQ(early.code, 2);
  EXPECT_THAT(early.err, HasSubstr("--interval: expected at least "));
  EXPECT_THAT(early.err, HasSubstr("which a checkpoint takes to be written, got 1.000 s"));
  const Answer repair = ask("goodput llama3-405b --repair 10");
  EXPECT_EQ(repair.code, 2);
  EXPECT_THAT(repair.err, HasSubstr("--repair: expected --spares beside it"));
  const Answer days = ask("goodput llama3-405b --days 0");
  EXPECT_EQ(days.code, 2);
  EXPECT_THAT(days.err, HasSubstr("--days: expected a number above 0 and below 1e9, got \"0\""));
}

}  // namespace
}  // namespace cubicbench::cli
