#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cli/requests/swept_axis.h"
#include "support/input_error.h"
#include "tests/cli/folder_test.h"
#include "tests/cli/program.h"

namespace cubicbench::cli {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;
using testing::StartsWith;
using Values = std::vector<std::string>;

TEST(SweptAxis, ReadsListsAndRanges) {
  struct Case {
    const char* text;
    Values values;
  };
  for (const Case& c :
       {Case{"a=1,2,8", {"1", "2", "8"}}, Case{"a=x", {"x"}}, Case{"a=1..4", {"1", "2", "3", "4"}},
        Case{"a=7..7", {"7"}}, Case{"a=-1..1", {"-1", "0", "1"}},
        Case{"a=1..64*2", {"1", "2", "4", "8", "16", "32", "64"}},
        Case{"a=3..20*2", {"3", "6", "12"}}, Case{"a=8..32+8", {"8", "16", "24", "32"}},
        Case{"a=1..10+4", {"1", "5", "9"}}, Case{"a=1,16..64*4,true", {"1", "16", "64", "true"}},
        Case{"a=../x.json,b=c", {"../x.json", "b=c"}},
        Case{"a=9223372036854775806..9223372036854775807",
             {"9223372036854775806", "9223372036854775807"}},
        Case{"a=4611686018427387904..9223372036854775807*2", {"4611686018427387904"}}}) {
    SCOPED_TRACE(c.text);
    const results::SweepAxis axis = swept_axis(c.text, "--set");
    EXPECT_EQ(axis.name, "a");
    EXPECT_EQ(axis.values, c.values);
    EXPECT_EQ(axis.typed, c.text);
  }
}

TEST(SweptAxis, SaysWhatIsWrong) {
  const std::string form = "expected a range of integers A..B, A..B+STEP or A..B*FACTOR, got ";
  const std::string factor =
      "expected A..B*FACTOR with A of at least 1 and a FACTOR of at least 2, got ";
  for (const auto& [text, problem] : std::vector<std::pair<std::string, std::string>>{
           {"a", "expected NAME=VALUES, such as tensor_parallel=1,2,4 or micro_batch=1..8"},
           {"=1", "expected NAME=VALUES, such as tensor_parallel=1,2,4 or micro_batch=1..8"},
           {"a=", "expected values between commas, got \"\""},
           {"a=1,,2", "expected values between commas, got \"\""},
           {"a=1,", "expected values between commas, got \"\""},
           {"a=1,2,1", "expected each value once, got \"1\" twice"},
           {"a=1..4,3", "expected each value once, got \"3\" twice"},
           {"a=8..1", "expected a range that rises, got \"8..1\""},
           {"a=1..x", form + "\"1..x\""},
           {"a=..", form + "\"..\""},
           {"a=1..2..3", form + "\"1..2..3\""},
           {"a=1.5..3", form + "\"1.5..3\""},
           {"a=1..8*", form + "\"1..8*\""},
           {"a=1..9223372036854775808", form + "\"1..9223372036854775808\""},
           {"a=1..8*1", factor + "\"1..8*1\""},
           {"a=0..8*2", factor + "\"0..8*2\""},
           {"a=1..8+0", "expected A..B+STEP with a STEP of at least 1, got \"1..8+0\""},
           {"a=1..1000000000000",
            "expected at most 100,000 values, got 1,000,000,000,000 in \"1..1000000000000\""}}) {
    SCOPED_TRACE(text);
    try {
      swept_axis(text, "--set");
      ADD_FAILURE() << "was read";
    } catch (const support::InputError& error) {
      EXPECT_EQ(error.what(), "--set " + text + ": " + problem);
    }
  }
}

class SweepCommand : public FolderTest {};

TEST_F(SweepCommand, HasTheNumbersOfSimulate) {
  const Answer sweep =
      ask("sweep llama3-8b --set cluster.gpus=64,128 --set micro_batch=1..2 --json");
  ASSERT_EQ(sweep.code, 0) << sweep.err;
  EXPECT_EQ(sweep.err, "");
  const Json document = Json::parse(sweep.out);
  EXPECT_EQ(document["axes"], Json::parse(R"([{"name":"cluster.gpus","values":[64,128]},
                            {"name":"micro_batch","values":[1,2]}])"));
  ASSERT_EQ(document["points"].size(), 4U);
  const Json simulated =
      Json::parse(ask("simulate llama3-8b --set cluster.gpus=128 --set micro_batch=1 --json").out);
  const Json& point = document["points"][2];
  EXPECT_EQ(point["set"], Json::parse(R"({"cluster.gpus":128,"micro_batch":1})"));
  EXPECT_EQ(point["status"], simulated["status"]);
  EXPECT_EQ(point["step_time_s"], simulated["step_time_s"]);
  EXPECT_EQ(point["objective"], simulated["objective"]["value"]);
  EXPECT_EQ(point["memory_bytes"], simulated["memory"]["demand_bytes"]);
}

TEST_F(SweepCommand, OfASealedInstanceAndOfTheEventEngineIsAsSimulateIs) {
  const std::string salt = write("salt", "sixteen bytes and more of salt");
  const std::string how =
      " --instance 3 --salt " + salt + " --engine event --contention off --json";
  const Json document = Json::parse(ask("sweep tiny-llama --set tensor_parallel=1,2" + how).out);
  const Json simulated = Json::parse(ask("simulate tiny-llama --set tensor_parallel=2" + how).out);
  EXPECT_EQ(document["engine"], "event");
  EXPECT_EQ(document["salt_sha256"], simulated["salt_sha256"]);
  EXPECT_EQ(document["points"][1]["objective"], simulated["objective"]["value"]);
}

TEST_F(SweepCommand, SaysTheSameOnAnyNumberOfThreads) {
  const std::string line =
      "sweep llama3-405b --set micro_batch=1..4 --set tensor_parallel=1..16*2 "
      "--set workload.sequence=4096,8192 --json --threads ";
  const Answer one = ask(line + "1");
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_TRUE(ask(line + "8").out == one.out);
}

TEST_F(SweepCommand, WritesATableAndAPage) {
  const Answer answer =
      ask("sweep tiny-llama --set micro_batch=1,2 --set tensor_parallel=1,2 --table " +
          path("points.csv") + " --out " + path("page"));
  ASSERT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("Objective, median tokens/s: micro_batch down"));
  const std::string csv = read("points.csv");
  EXPECT_THAT(csv, StartsWith("micro_batch,tensor_parallel,status,"));
  EXPECT_EQ(std::ranges::count(csv, '\n'), 5);
  const std::string page = read("page/index.html");
  EXPECT_THAT(page, HasSubstr("A sweep of tiny-llama"));
  EXPECT_THAT(page, HasSubstr("cubicbench sweep tiny-llama --set micro_batch=1,2 --set "
                              "tensor_parallel=1,2 --out DIR"));
  EXPECT_TRUE(read("page/tiny-llama-objective.csv") == csv);
  EXPECT_TRUE(std::filesystem::exists(path("page/tiny-llama-memory.svg")));
  const Answer markdown = ask("sweep tiny-llama --set micro_batch=1,2 --markdown");
  EXPECT_THAT(markdown.out, HasSubstr("| micro_batch | step time | median tokens/s |"));
}

TEST_F(SweepCommand, RefusesWhatItCannotSweep) {
  struct Case {
    const char* line;
    const char* message;
  };
  for (const Case& c :
       {Case{"sweep tiny-llama", "--set: expected NAME=VALUES, such as tensor_parallel=1,2,4,8\n"},
        Case{"sweep tiny-llama --set tensor_paralel=1,2",
             "--set tensor_paralel=1: unknown setting; did you mean --set tensor_parallel=1?\n"},
        Case{"sweep tiny-llama --set micro_batch=1..1000 --set global_batch=1..1000",
             "--set: expected at most 100,000 points, got 1,000,000, 1,000 x 1,000; enumerate "
             "--table values whole spaces\n"},
        Case{"sweep tiny-llama --set micro_batch=1,2 --jitter 1",
             "--jitter: expected with --engine event\n"},
        Case{"sweep tiny-llama --set micro_batch=1,2 --trace x.json",
             "--trace: unknown option; an option of simulate, collective\n"},
        Case{"sweep tiny-llama --set micro_batch=1 --json --markdown",
             "--markdown: expected no --json beside it: one of them is printed\n"}}) {
    SCOPED_TRACE(c.line);
    const Answer answer = ask(c.line);
    EXPECT_EQ(answer.code, 2);
    EXPECT_EQ(answer.out, "");
    EXPECT_EQ(answer.err, c.message);
  }
}

}  // namespace
}  // namespace cubicbench::cli
