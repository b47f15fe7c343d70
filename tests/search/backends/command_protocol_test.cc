#include "search/backends/command_protocol.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/readers/scenario_reader.h"
#include "search/backends/launch.h"
#include "support/input_error.h"

namespace cubicbench::search {
namespace {

using scenarios::Reason;
using scenarios::TrialState;

TEST(ReadAnswer, TakesWhatIsInTheProtocol) {
  const auto complete = read_answer(
      R"({"state":"complete","value":12.5,"metrics":{"step_time_s":3,"mfu":0.4},"cost_gpu_hours":2})");
  ASSERT_TRUE(complete);
  EXPECT_EQ(complete->outcome.state, TrialState::complete);
  EXPECT_EQ(complete->outcome.reason, Reason::none);
  EXPECT_EQ(complete->outcome.value, 12.5);
  const std::vector<std::pair<std::string, double>> metrics{{"step_time_s", 3.0}, {"mfu", 0.4}};
  EXPECT_EQ(complete->outcome.metrics, metrics);
  EXPECT_EQ(complete->cost_gpu_hours, 2.0);
  EXPECT_FALSE(complete->not_a_number);

  const auto fail = read_answer(R"( {"state":"fail","reason":"oom_late","message":"gave up"} )");
  ASSERT_TRUE(fail);
  EXPECT_EQ(fail->outcome.state, TrialState::fail);
  EXPECT_EQ(fail->outcome.reason, Reason::oom_late);
  EXPECT_FALSE(fail->outcome.value.has_value());
  EXPECT_FALSE(fail->cost_gpu_hours.has_value());
}

TEST(ReadAnswer, AcceptsTheShortAndTheFull) {
  for (const char* line : {
           R"({"state":"complete","value":1})",
           R"({"state":"complete","value":-1e-3,"metrics":{},"cost_gpu_hours":0})",
           R"({"state":"complete","value":1,"reason":null,"metrics":null,"cost_gpu_hours":null})",
           R"({"state":"complete","value":1,"metrics":{"a":null},"message":"fine"})",
           R"({"state":"complete","value":1,"host":"n17"})",
           R"({"state":"fail","reason":"invalid","value":null})",
           R"({"state":"fail","reason":"infra","metrics":{"steps":7},"cost_gpu_hours":0.5})",
           R"({"state":"fail","reason":"timeout"})",
           R"({"state":"fail","reason":"oom_init"})",
           R"({"state":"fail","reason":"numeric"})",
       }) {
    const auto answer = read_answer(line);
    ASSERT_TRUE(answer) << line;
    EXPECT_FALSE(answer->not_a_number) << line;
  }
}

TEST(ReadAnswer, RefusesWhatIsNot) {
  for (const char* line : {
           "",
           "12.5",
           "complete",
           "[]",
           "{}",
           R"({"value":1})",
           R"({"state":"done","value":1})",
           R"({"state":"pruned","value":1})",
           R"({"state":"complete"})",
           R"({"state":"complete","value":"1"})",
           R"({"state":"complete","value":true})",
           R"({"state":"complete","value":1e999})",
           R"({"state":"complete","value":1,"value":2})",
           R"({"state":"complete","value":1,"reason":"infra"})",
           R"({"state":"complete","value":1,"metrics":[1]})",
           R"({"state":"complete","value":1,"metrics":{"loss":"2"}})",
           R"({"state":"complete","value":1,"metrics":{"loss":NaN}})",
           R"({"state":"complete","value":1,"cost_gpu_hours":-1})",
           R"({"state":"complete","value":1,"cost_gpu_hours":"1"})",
           R"({"state":"complete","value":1,"message":2})",
           R"({"state":"complete","value":1} ok)",
           R"({"state":"complete","value":1)",
           R"({'state':'complete','value':1})",
           R"({"state":"fail"})",
           R"({"state":"fail","reason":"oom"})",
           R"({"state":"fail","reason":""})",
           R"({"state":"fail","reason":"infra","value":1})",
           "{\"state\":\"complete\",\"value\":1,\"message\":\"\xff\"}",
       }) {
    EXPECT_FALSE(read_answer(line)) << line;
  }
}

TEST(ParseAnswer, SaysWhatIsWrong) {
  struct Case {
    const char* line;
    const char* message;
  };
  for (const Case& c : {
           Case{"", "answer: expected a line of JSON on standard output, got none"},
           Case{"Done.", "answer: expected a JSON object, got Done."},
           Case{R"({"state":"complete","value":"5"})",
                "answer#/value: expected a number, got \"5\""},
       }) {
    try {
      parse_answer(c.line);
      ADD_FAILURE() << c.line;
    } catch (const support::InputError& error) {
      EXPECT_STREQ(error.what(), c.message);
    }
  }
  EXPECT_EQ(parse_answer(R"({"state":"fail","reason":"infra","message":"no"})").message, "no");
}

TEST(ReadAnswer, KnowsTheValuesThatAreNoNumber) {
  for (const char* value : {"NaN", "Infinity", "-Infinity", "nan", "inf", "-inf", R"("nan")",
                            R"("NaN")", R"("-inf")", R"("Infinity")", R"("+inf")"}) {
    const std::string line = R"({"state":"complete","value":)" + std::string(value) + "}";
    const auto answer = read_answer(line);
    ASSERT_TRUE(answer) << line;
    EXPECT_TRUE(answer->not_a_number) << line;
  }
  EXPECT_FALSE(read_answer(R"({"state":"complete","value":"none"})"));
  EXPECT_FALSE(read_answer(R"({"state":"fail","reason":"infra","value":NaN})"));
  // Only whole words outside strings are meant.
  EXPECT_FALSE(read_answer(R"({"state":"complete","value":nano})"));
  const auto quoted = read_answer(R"({"state":"complete","value":1,"message":"a \" NaN \\"})");
  ASSERT_TRUE(quoted);
  EXPECT_FALSE(quoted->not_a_number);
}

TEST(OutcomeOf, FollowsTheTableFromTheTop) {
  constexpr const char* answer = R"({"state":"complete","value":7})";
  constexpr const char* nan = R"({"state":"complete","value":NaN})";
  struct Case {
    const char* name;
    ObservedJob job;
    Reason reason;
  };
  for (const Case& c : {
           Case{"an answer", {.last_line = answer, .exit_code = 0}, Reason::none},
           Case{"an answer before a timeout",
                {.last_line = answer, .timed_out = true, .signal = 15},
                Reason::none},
           Case{"an answer after running out of memory",
                {.last_line = answer, .out_of_memory = true, .exit_code = 1},
                Reason::none},
           Case{"an answer and a bad exit", {.last_line = answer, .exit_code = 2}, Reason::none},
           Case{"a timeout", {.timed_out = true, .signal = 15}, Reason::timeout},
           Case{"a timeout that ended in SIGKILL",
                {.timed_out = true, .out_of_memory = true, .signal = 9},
                Reason::timeout},
           Case{"memory before a step", {.out_of_memory = true, .exit_code = 1}, Reason::oom_init},
           Case{"memory after a step",
                {.out_of_memory = true, .reported_step = true, .exit_code = 1},
                Reason::oom_late},
           Case{"memory and a NaN",
                {.last_line = nan, .out_of_memory = true, .exit_code = 0},
                Reason::oom_init},
           Case{"exit 137", {.exit_code = 137}, Reason::oom_init},
           Case{"exit 137 after a step",
                {.reported_step = true, .exit_code = 137},
                Reason::oom_late},
           Case{"SIGKILL", {.signal = 9}, Reason::oom_init},
           Case{"NaN", {.last_line = nan, .exit_code = 0}, Reason::numeric},
           Case{"NaN and exit 2", {.last_line = nan, .exit_code = 2}, Reason::numeric},
           Case{"exit 2", {.last_line = "usage", .exit_code = 2}, Reason::invalid},
           Case{"exit 1", {.exit_code = 1}, Reason::infra},
           Case{"exit 0 without an answer", {.last_line = "bye", .exit_code = 0}, Reason::infra},
           Case{"a crash", {.reported_step = true, .signal = 11}, Reason::infra},
       }) {
    SCOPED_TRACE(c.name);
    const scenarios::TrialOutcome outcome = outcome_of(c.job, 0.5, 16.0);
    EXPECT_EQ(name_of(outcome.reason), name_of(c.reason));
    EXPECT_EQ(outcome.state, c.reason == Reason::none ? TrialState::complete : TrialState::fail);
    EXPECT_EQ(outcome.value.has_value(), c.reason == Reason::none);
    EXPECT_EQ(outcome.duration_h, 0.5);
    EXPECT_EQ(outcome.cost_gpu_hours, 8.0) << "16 GPUs for half an hour";
  }
}

TEST(OutcomeOf, BelievesTheCostThatIsSaid) {
  const ObservedJob job{.last_line = R"({"state":"fail","reason":"infra","cost_gpu_hours":0})"};
  EXPECT_EQ(outcome_of(job, 0.5, 16.0).cost_gpu_hours, 0.0);
}

TEST(RequestLine, IsOneLineInTheOrderOfTheContract) {
  const scenarios::Scenario scenario = scenarios::read_scenario("tiny-llama");
  Launch launch{.trial = 12, .attempt = 1, .round = 3, .config = {}};
  launch.config = scenario.space.from_plan(scenario.baseline).configuration;
  const std::string line = request_line(scenario, launch, 7200.0);
  ASSERT_TRUE(line.ends_with("}\n"));
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  const auto request = nlohmann::ordered_json::parse(line);
  std::vector<std::string> keys;
  for (const auto& [key, value] : request.items()) keys.push_back(key);
  const std::vector<std::string> expected{"protocol", "scenario", "trial",       "attempt",
                                          "config",   "launch",   "time_limit_s"};
  EXPECT_EQ(keys, expected);
  EXPECT_EQ(request["protocol"], 1);
  EXPECT_EQ(request["scenario"], "tiny-llama");
  EXPECT_EQ(request["trial"], 12);
  EXPECT_EQ(request["attempt"], 1);
  EXPECT_EQ(request["time_limit_s"], 7200.0);
  // The baseline of the scenario, in the order of its space; what is not active is absent.
  EXPECT_EQ(request["config"].dump(),
            R"({"tensor_parallel":1,"pipeline_parallel":1,"micro_batch":4,)"
            R"("sharding":"full_shard","wrap":1,"recompute":"none","compile":false})");
  const LaunchOptions options = launch_options(scenario, scenario.baseline);
  EXPECT_EQ(request["launch"].size(), 3U);
  EXPECT_EQ(request["launch"]["torchtitan"], nlohmann::ordered_json(options.torchtitan));
  EXPECT_EQ(request["launch"]["megatron"], nlohmann::ordered_json(options.megatron));
  EXPECT_EQ(request["launch"]["torchrun"], nlohmann::ordered_json(options.torchrun));
}

}  // namespace
}  // namespace cubicbench::search
