#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "scenarios/readers/scenario_reader.h"
#include "tests/cli/folder_test.h"
#include "tests/cli/program.h"

namespace cubicbench::cli {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;
using testing::Not;

Json played(const std::string& words) {
  const Answer answer = ask("simulate " + words + " --engine event --json");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_EQ(answer.err, "");
  return Json::parse(answer.out);
}

TEST(EventOptions, ThatAreWrongAreSaidAllAtOnce) {
  struct Case {
    const char* options;
    const char* messages;
  };
  for (const Case& c : {
           Case{"--engine evnt",
                "--engine: expected analytical or event, got \"evnt\"; did you mean \"event\"?\n"},
           Case{"--engine closed --trace t.json",
                "--engine: expected analytical or event, got \"closed\"\n"},
           Case{"--engine event --engine event", "--engine: given 2 times\n"},
           Case{"--engine", "--engine: expected ENGINE, got nothing\n"},
           Case{"--trace t.json --contention on",
                "--contention: expected with --engine event\n"
                "--trace: expected with --engine event\n"},
           Case{"--engine analytical --fold off --jitter 7 --conditions c.json",
                "--fold: expected with --engine event\n"
                "--jitter: expected with --engine event\n"
                "--conditions: expected with --engine event\n"},
           Case{"--engine event --contention maybe --fold 1 --jitter on",
                "--contention: expected on or off, got \"maybe\"\n"
                "--fold: expected on or off, got \"1\"\n"
                "--jitter: expected off or an integer in [0, 18446744073709551615], got \"on\"\n"},
           Case{"--engine event --jitter -1",
                "--jitter: expected off or an integer in [0, 18446744073709551615], got \"-1\"\n"},
           Case{"--engine event --jitter 18446744073709551616",
                "--jitter: expected off or an integer in [0, 18446744073709551615], got "
                "\"18446744073709551616\"\n"},
           Case{"--engine event --jitter 7.5",
                "--jitter: expected off or an integer in [0, 18446744073709551615], got \"7.5\"\n"},
           Case{"--engine event --trace-ranks 0,8", "--trace-ranks: expected with --trace FILE\n"},
           Case{"--engine event --jitter 7 --set truth.noise=none",
                "--jitter: expected a scenario with noise in its truth, such as field, got "
                "\"none\"\n"},
       }) {
    SCOPED_TRACE(c.options);
    const Answer answer = ask(std::string("simulate tiny-gpt ") + c.options);
    EXPECT_EQ(answer.code, 2);
    EXPECT_EQ(answer.err, c.messages);
    EXPECT_EQ(answer.out, "");
  }
}

TEST(EventOptions, NameAFile) {
  std::ostringstream out;
  std::ostringstream err;
  EXPECT_EQ(run({"simulate", "tiny-gpt", "--engine", "event", "--trace", "", "--conditions", ""},
                out, err),
            2);
  EXPECT_EQ(err.str(), "--conditions: expected FILE, got \"\"\n--trace: expected FILE, got \"\"\n");
  EXPECT_EQ(out.str(), "");
}

TEST(EventOptions, OfAStepAreNoneOfACollectives) {
  const Answer answer = ask(
      "collective --op all_reduce --size 1G --cluster nvl72-ndr --ranks 8 --fold off --trace t");
  EXPECT_EQ(answer.code, 2);
  EXPECT_EQ(answer.err,
            "--fold: expected with simulate: it is of a whole step\n"
            "--trace: expected with simulate: it is of a whole step\n");
}

class EventEngine : public FolderTest {
 protected:
  std::string conditions_file(const std::string& members) const {
    return write("conditions.json", R"({"schema": "cubicbench.conditions/1", )" + members + "}");
  }
};

TEST_F(EventEngine, SaysHowMuchItPlayed) {
  const Json document = played("tiny-gpt");
  EXPECT_EQ(document["engine"], "event");
  EXPECT_EQ(document["status"], "ok");
  std::vector<std::string> keys;
  for (const auto& [key, value] : document["event"].items()) keys.push_back(key);
  EXPECT_EQ(keys,
            (std::vector<std::string>{"events", "ranks", "flows", "contention", "fold", "jitter"}));
  EXPECT_GT(document["event"]["events"], 0);
  EXPECT_GE(document["event"]["ranks"], 1);
  EXPECT_EQ(document["event"]["contention"], true);
  EXPECT_EQ(document["event"]["fold"], true);
  EXPECT_TRUE(document["event"]["jitter"].is_null());
  const Json other = played("tiny-gpt --contention off --fold off --jitter 7");
  EXPECT_EQ(other["event"]["contention"], false);
  EXPECT_EQ(other["event"]["fold"], false);
  EXPECT_EQ(other["event"]["jitter"], 7);
  EXPECT_EQ(other["event"]["ranks"], scenarios::read_scenario("tiny-gpt").cluster.gpus);
}

/// The report of tiny-gpt, its lines joined as if a terminal had no end.
std::string unwrapped(const std::string& options) {
  std::istringstream words(ask("simulate tiny-gpt " + options).out);
  std::string text;
  for (std::string word; words >> word;) text += (text.empty() ? "" : " ") + word;
  return text;
}

TEST_F(EventEngine, IsNamedInTheText) {
  const std::string text = unwrapped("--engine event");
  EXPECT_THAT(text, testing::ContainsRegex(" engine event: [0-9,]+ events?, [1-8] of 8 ranks "
                                           "played, [0-9,]+ flows? objective "));
  EXPECT_THAT(
      unwrapped("--engine event --contention off --jitter 7"),
      testing::ContainsRegex(" flows?, contention off, GPUs late as drawn from 7 objective "));
  EXPECT_THAT(unwrapped(""), Not(HasSubstr(" engine event")));
}

TEST_F(EventEngine, SaysWhoWaitsForARankThatFailed) {
  const std::string words =
      "tiny-gpt --conditions " + conditions_file(R"("failed_ranks": [{"rank": 5, "at_s": 0.01}])");
  const Json document = played(words);
  EXPECT_EQ(document["status"], "infra");
  EXPECT_EQ(document["why"], "rank 5 failed at 10.00 ms: 7 ranks wait for it");
  for (const char* key : {"step_time_s", "samples_per_s", "tokens_per_s", "tokens_per_s_per_gpu",
                          "mfu", "mfu_6n", "bound_by"}) {
    EXPECT_TRUE(document[key].is_null()) << key;
  }
  EXPECT_TRUE(document["objective"]["value"].is_null());
  EXPECT_TRUE(document["breakdown"].empty());
  EXPECT_EQ(document["memory"], Json::parse(ask("simulate tiny-gpt --json").out)["memory"]);
  const Answer text = ask("simulate --engine event " + words);
  EXPECT_EQ(text.code, 0);
  EXPECT_THAT(text.out,
              HasSubstr("\nresult      stalled: rank 5 failed at 10.00 ms: 7 ranks wait for it\n"));
}

TEST_F(EventEngine, SaysWhatIsWrongWithConditionsAndJitterAtOnce) {
  const std::string path = conditions_file(R"("failed_ranks": [{"rank": 8, "at_s": 1}])");
  const Answer answer =
      ask("simulate tiny-gpt --set truth.noise=none --engine event --jitter 1 "
          "--conditions " +
          path);
  EXPECT_EQ(answer.code, 2);
  EXPECT_EQ(answer.out, "");
  EXPECT_EQ(answer.err,
            "--jitter: expected a scenario with noise in its truth, such as field, got \"none\"\n" +
                path + "#/failed_ranks/0/rank: expected an integer in [0, 7], got 8\n");
}

// What a configuration needs does not depend on how its time is found.
TEST_F(EventEngine, NeedsTheMemoryOfTheAnalyticalOne) {
  for (const std::string words :
       {"tiny-gpt", "tiny-llama", "tiny-gpt --set global_batch=63",
        "llama3-405b --set tensor_parallel=1 --set pipeline_parallel=1 --set schedule=1f1b "
        "--set sharding=no_shard --set global_batch=16384"}) {
    SCOPED_TRACE(words);
    const Json analytical = Json::parse(ask("simulate " + words + " --json").out);
    const Json event = played(words + " --contention off");
    EXPECT_EQ(event["memory"], analytical["memory"]);
    EXPECT_EQ(event["status"], analytical["status"]);
    EXPECT_EQ(event["config"], analytical["config"]);
    EXPECT_EQ(event["scenario_sha256"], analytical["scenario_sha256"]);
    EXPECT_EQ(event["why"], analytical["why"]);
  }
}

// With jitter one step is played, whose luck is in its time: no closed form goes on top.
TEST_F(EventEngine, TheObjectiveIsOverARunUnlessGpusWereLate) {
  const Json ideal = played("tiny-gpt");
  EXPECT_LT(ideal["objective"]["value"], ideal["tokens_per_s"]);
  const Json late = played("tiny-gpt --jitter 7");
  EXPECT_GT(late["step_time_s"], ideal["step_time_s"]);
  EXPECT_EQ(late["objective"]["value"], late["tokens_per_s"]);
  EXPECT_THAT(ask("simulate tiny-gpt --engine event --jitter 7").out,
              HasSubstr(" tokens/s, of this one step\n"));
}

}  // namespace
}  // namespace cubicbench::cli
