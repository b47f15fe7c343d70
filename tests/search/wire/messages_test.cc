#include "search/wire/messages.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "scenarios/readers/scenario_reader.h"

namespace cubicbench::search {
namespace {

using scenarios::Reason;
using scenarios::TrialState;

const std::string tiny_baseline =
    R"({"tensor_parallel":1,"pipeline_parallel":1,"micro_batch":4,"sharding":"full_shard","wrap":1,"recompute":"none","compile":false})";

struct TinyLlama {
  scenarios::Scenario scenario = scenarios::read_scenario("tiny-llama");
  SeenProblem problem{scenario, {.scenario = "tiny-llama", .searcher = {}}};
  ToldTrial told() const {
    ToldTrial trial;
    trial.trial = 3;
    trial.config = problem.configuration_of(nlohmann::ordered_json::parse(tiny_baseline));
    trial.cost_gpu_hours = 1.5;
    return trial;
  }
};

TEST(Messages, TellATrialWithAllItsKeys) {
  const TinyLlama tiny;
  ToldTrial trial = tiny.told();
  trial.score = 1.25e6;
  EXPECT_EQ(told_json(tiny.problem, trial).dump(),
            R"({"trial":3,"config":)" + tiny_baseline +
                R"(,"state":"complete","value":1250000.0,"reason":null,"over_bytes":null,)"
                R"("peak_bytes":null,"cost_gpu_hours":1.5})");
}

TEST(Messages, TellAFailureWithItsReasonAndNoValue) {
  const TinyLlama tiny;
  ToldTrial trial = tiny.told();
  trial.state = TrialState::fail;
  trial.reason = Reason::oom_late;
  trial.over_bytes = 2048.0;
  const auto told = told_json(tiny.problem, trial);
  EXPECT_EQ(told["state"], "fail");
  EXPECT_TRUE(told["value"].is_null());
  EXPECT_EQ(told["reason"], "oom_late");
  EXPECT_EQ(told["over_bytes"], 2048.0);
}

TEST(Messages, TellAMinimisedMetricAsItIs) {
  TinyLlama tiny;
  tiny.scenario.objective.direction = scenarios::Direction::minimize;
  ToldTrial trial = tiny.told();
  trial.score = -6.5;  // of a searcher, for whom more is better
  EXPECT_EQ(told_json(tiny.problem, trial)["value"], 6.5);
}

TEST(Messages, AreObjectsWithAType) {
  EXPECT_EQ(read_message(R"({"type":"budget","more":1})")["type"], "budget");
  for (const char* const line : {"", "x", "7", "[]", "{}", R"({"type":null})", R"({"type":"a")",
                                 R"({"type":"a","type":"b"})", "{\"type\":\"\xff\"}"}) {
    EXPECT_THROW(read_message(line), Refused) << line;
  }
}

TEST(Messages, FindTheConfigOrNull) {
  EXPECT_TRUE(config_in(read_message(R"({"type":"recommend"})")).is_null());
  EXPECT_EQ(config_in(read_message(R"({"type":"recommend","config":{"a":1}})"))["a"], 1);
}

}  // namespace
}  // namespace cubicbench::search
