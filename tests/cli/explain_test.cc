#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/folder_test.h"
#include "tests/cli/program.h"

namespace cubicbench::cli {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;
using testing::Not;

Json explain_json(const std::string& words) {
  const Answer answer = ask("explain " + words + " --json");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_EQ(answer.err, "");
  return Json::parse(answer.out);
}

TEST(Explain, HasTheKeysOfTheContract) {
  const Json document = explain_json("tiny-llama");
  EXPECT_EQ(document.at("schema"), "cubicbench.explain/1");
  for (const char* key : {"plan", "terms", "memory", "differences", "changes", "advice"}) {
    EXPECT_TRUE(document.contains(key)) << key;
  }
  for (const char* key : {"name", "seconds", "resource", "equation"}) {
    EXPECT_TRUE(document.at("terms")[0].contains(key)) << key;
  }
  for (const char* key : {"set", "status", "step_time_s", "objective", "memory_bytes"}) {
    EXPECT_TRUE(document.at("changes")[0].contains(key)) << key;
  }
  EXPECT_TRUE(document.at("differences").empty());
}

TEST(Explain, SaysInSentencesWhatBoundsTheStep) {
  const Answer answer = ask("explain llama3-405b");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("A step takes "));
  EXPECT_THAT(answer.out, HasSubstr("is matrix products"));
  EXPECT_THAT(answer.out, HasSubstr("Best single change: "));
  EXPECT_THAT(answer.out, Not(HasSubstr("[docs/models.md")));
  EXPECT_THAT(ask("explain llama3-405b --why").out, HasSubstr("[docs/models.md,\n"));
}

TEST(Explain, SaysByHowMuchAPlanDoesNotFit) {
  const Answer answer = ask("explain llama3-405b --set workload.sequence=65536");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("The plan does not fit: "));
  EXPECT_THAT(answer.out, HasSubstr(" too little"));
  const Json document = explain_json("llama3-405b --set workload.sequence=65536");
  EXPECT_TRUE(document.at("terms").empty());
  EXPECT_FALSE(document.at("memory").empty());
  EXPECT_LT(document.at("memory_limit").at("margin_bytes"), 0);
}

// Of 1 GiB the driver, the context and the communicators leave nothing.
TEST(Explain, ADeviceWithoutRoomHasNoShares) {
  const Json document = explain_json("tiny-gpt --set cluster.memory_gib=1");
  EXPECT_EQ(document.at("memory_limit").at("capacity_bytes"), 0);
  EXPECT_TRUE(document.at("memory")[0].at("share").is_null());
  EXPECT_THAT(ask("explain tiny-gpt --set cluster.memory_gib=1").out, Not(HasSubstr("inf")));
}

TEST(Explain, APlanThatCannotBeIsAnAnswer) {
  const Answer answer = ask("explain tiny-llama --set tensor_parallel=7");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("The plan cannot be laid out: "));
}

TEST(Explain, PutsAnotherPlanBesideIt) {
  const Json document = explain_json("llama3-405b --against micro_batch=2,tensor_parallel=4");
  EXPECT_EQ(document.at("against").at("plan").at("micro_batch"), 2);
  EXPECT_EQ(document.at("against").at("plan").at("tensor_parallel"), 4);
  // What was set already is set otherwise.
  const Json twice = explain_json("llama3-405b --set micro_batch=2 --against micro_batch=4");
  EXPECT_EQ(twice.at("plan").at("micro_batch"), 2);
  EXPECT_EQ(twice.at("against").at("plan").at("micro_batch"), 4);
  const Answer answer = ask("explain llama3-405b --against async_tensor_parallel=true");
  EXPECT_THAT(answer.out, HasSubstr("Against async_tensor_parallel=true"));
  EXPECT_THAT(answer.out, HasSubstr("= step"));
}

TEST(Explain, IsTheSameOnAnyNumberOfThreads) {
  const std::string one = ask("explain llama3-405b --json --threads 1").out;
  EXPECT_EQ(one, ask("explain llama3-405b --json --threads 2").out);
  EXPECT_EQ(one, ask("explain llama3-405b --json --threads 8").out);
}

TEST(Explain, RefusesWhatItCannotExplain) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"nowhere", "nowhere: "},
      {"tiny-llama --set tensor_paralel=2", "did you mean --set tensor_parallel=2?"},
      {"tiny-llama --against tensor_paralel=2",
       "--against tensor_paralel=2: unknown setting; did you mean tensor_parallel=2?"},
      {"tiny-llama --against micro_batch",
       "--against: expected NAME=VALUE,... or FOLDER:best, got "
       "\"micro_batch\""},
      {"tiny-llama --against micro_batch=2,", "--against: expected NAME=VALUE,..."},
      {"tiny-llama --against =2", "--against: expected NAME=VALUE,..."},
      {"tiny-llama --against micro_batch=x", "micro_batch=x"},
      {"tiny-llama --against embedding_plan=grid", "embedding_plan"},
      {"tiny-llama --against ./nowhere:best", "./nowhere"},
      {"nanotron-3.57b-128gpu", "expected a scenario with a model, got a table of runs"},
      {"tiny-llama --json --markdown", "--markdown: expected no --json beside it"},
  };
  for (const auto& [words, message] : cases) {
    SCOPED_TRACE(words);
    const Answer answer = ask("explain " + words);
    EXPECT_EQ(answer.code, 2);
    EXPECT_EQ(answer.out, "");
    EXPECT_THAT(answer.err, HasSubstr(message));
  }
}

class ExplainAgainstASearch : public FolderTest {};

TEST_F(ExplainAgainstASearch, TakesTheBestOfIt) {
  const Answer search = ask("search tiny-llama tiny-gpt --trials 12 --seeds 2 --searcher random " +
                            ("--quiet --out " + path("found")));
  ASSERT_EQ(search.code, 0) << search.err;
  const Json document = explain_json("tiny-llama --against " + path("found") + ":best");
  EXPECT_THAT(document.at("against").at("found").get<std::string>(),
              HasSubstr(" of tiny-llama.0.random."));
  // No launch of any study has a better true value than it.
  double best = 0.0;
  for (const char* study : {"tiny-llama.0.random.0", "tiny-llama.0.random.1"}) {
    std::istringstream truth(read("found/truth/" + std::string(study) + ".jsonl"));
    for (std::string line; std::getline(truth, line);) {
      const Json launch = Json::parse(line);
      if (launch.contains("value") && !launch.at("value").is_null()) {
        best = std::max(best, launch.at("value").get<double>());
      }
    }
  }
  EXPECT_LE(document.at("against").at("objective").get<double>(), best);
  EXPECT_GE(document.at("against").at("objective").get<double>(), 0.9 * best);
}

TEST_F(ExplainAgainstASearch, RefusesSearchesOfOtherProblems) {
  const Answer search =
      ask("search tiny-gpt --trials 3 --searcher random --quiet --out " + path("other"));
  ASSERT_EQ(search.code, 0) << search.err;
  const Answer other = ask("explain tiny-llama --against " + path("other") + ":best");
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("expected a search of tiny-llama, got one of tiny-gpt"));
  const Answer instance = ask("explain tiny-gpt --instance 1 --against " + path("other") + ":best");
  EXPECT_EQ(instance.code, 2);
  EXPECT_THAT(instance.err, HasSubstr("expected a search of tiny-gpt, instance 1"));
  const Answer changed =
      ask("explain tiny-gpt --set cluster.gpus=4 --against " + path("other") + ":best");
  EXPECT_EQ(changed.code, 2);
  write("other/plan.json", "{");
  EXPECT_EQ(ask("explain tiny-gpt --against " + path("other") + ":best").code, 2);
}

}  // namespace
}  // namespace cubicbench::cli
