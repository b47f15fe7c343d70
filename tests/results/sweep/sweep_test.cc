#include "results/sweep/sweep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "datasets/problem/table_scenario.h"
#include "results/simulation/simulation_document.h"
#include "results/sweep/sweep_document.h"
#include "support/input_error.h"

namespace cubicbench::results {
namespace {

using scenarios::Reason;
using testing::HasSubstr;
using Json = nlohmann::ordered_json;
using Axes = std::vector<SweepAxis>;

std::string refusal_of(const AskedSweep& asked) {
  try {
    swept(asked);
  } catch (const support::InputError& error) {
    return error.what();
  }
  return "";
}

/// What `simulate --json` prints of the point.
Json simulated(const AskedSweep& asked, std::size_t number, const sim::EventOptions* event) {
  const std::vector<std::string> sets = sets_of(asked.axes, number);
  scenarios::Scenario scenario = datasets::read_simulated(asked.scenario, sets, asked.seal);
  scenario.engine = scenarios::Engine::analytical;
  return simulation_json(simulate(scenario, sets, asked.instance, event));
}

void expect_as_simulate(const AskedSweep& asked, const sim::EventOptions* event = nullptr) {
  const Sweep sweep = swept(asked);
  const Json document = sweep_json(sweep);
  std::size_t running = 0;
  for (std::size_t i = 0; i < sweep.points.size(); ++i) {
    SCOPED_TRACE(testing::PrintToString(sets_of(asked.axes, i)));
    const Json expected = simulated(asked, i, event);
    const Json& point = document["points"][i];
    for (const char* key : {"status", "why", "in_space", "step_time_s", "mfu", "bound_by"}) {
      EXPECT_EQ(point[key], expected[key]) << key;
    }
    EXPECT_EQ(point["objective"], expected["objective"]["value"]);
    const Json& memory = expected["memory"];
    EXPECT_EQ(point["memory_bytes"], memory.is_null() ? Json() : memory["demand_bytes"]);
    EXPECT_EQ(point["capacity_bytes"], memory.is_null() ? Json() : memory["capacity_bytes"]);
    running += point["status"] == "ok" ? 1U : 0U;
  }
  EXPECT_GT(running, 0U) << asked.scenario;
}

TEST(Sweep, HasTheNumbersOfSimulate) {
  for (const AskedSweep& asked : std::vector<AskedSweep>{
           // Settings, some of which switch others off or run out of memory.
           {.scenario = "llama3-70b",
           .axes = {{"pipeline_parallel", {"1", "4", "8"}},
                    {"tensor_parallel", {"1", "8"}},
                    {"micro_batch", {"1", "3"}},
                    {"sharding", {"full_shard", "zero1"}}}},
           // Fields of the problem, with a setting between them.
           {.scenario = "llama3-8b",
           .axes = {{"cluster.gpus", {"64", "128"}},
                    {"micro_batch", {"1", "2"}},
                    {"workload.sequence", {"4096", "8192"}},
                    {"cluster.device", {"h100-sxm-80gb", "a100-sxm-80gb"}}},
           .instance = 2},
           {.scenario = "mixtral-8x7b",
           .axes = {{"expert_parallel", {"1", "2", "8"}}, {"micro_batch", {"1", "2"}}}},
           {.scenario = "ads-73b",
           .axes = {{"batch_per_gpu", {"512", "4096", "32768"}},
                    {"embedding_plan", {"planner", "row_wise"}}}},
           {.scenario = "dense-small@3", .axes = {{"tensor_parallel", {"1", "2", "8"}}}},
           // The number of GPUs and a deadline.
           {.scenario = "cost@13",
           .axes = {{"gpus", {"64", "128"}}, {"tensor_parallel", {"4", "8"}}}}}) {
    SCOPED_TRACE(asked.scenario);
    expect_as_simulate(asked);
  }
}

TEST(Sweep, HasTheNumbersOfTheEventEngine) {
  const sim::EventOptions contended;
  expect_as_simulate({.scenario = "tiny-llama",
                      .axes = {{"tensor_parallel", {"1", "2"}}, {"micro_batch", {"1", "2"}}},
                      .play = [](const scenarios::Scenario&) { return sim::EventOptions{}; }},
                     &contended);
}

TEST(Sweep, GoesThroughTheLastAxisFirstOnAnyNumberOfThreads) {
  AskedSweep asked{.scenario = "tiny-llama",
                   .axes = {{"micro_batch", {"1", "2", "4"}},
                            {"cluster.gpus", {"8", "16"}},
                            {"tensor_parallel", {"1", "2"}}},
                   .threads = 1};
  EXPECT_EQ(sets_of(asked.axes, 0),
            (std::vector<std::string>{"micro_batch=1", "cluster.gpus=8", "tensor_parallel=1"}));
  EXPECT_EQ(sets_of(asked.axes, 1).back(), "tensor_parallel=2");
  EXPECT_EQ(sets_of(asked.axes, 2)[1], "cluster.gpus=16");
  EXPECT_EQ(sets_of(asked.axes, 4)[0], "micro_batch=2");
  const Sweep alone = swept(asked);
  ASSERT_EQ(alone.points.size(), 12U);
  asked.threads = 8;
  EXPECT_EQ(swept(asked).points, alone.points);
}

TEST(Sweep, CountsPointsUntilTheyOverflow) {
  EXPECT_EQ(point_count({{"a", {"1", "2"}}, {"b", {"1", "2", "3"}}}), 6U);
  EXPECT_EQ(point_count(Axes(63, {"a", {"1", "2"}})), std::uint64_t{1} << 63);
  EXPECT_EQ(point_count(Axes(64, {"a", {"1", "2"}})), std::nullopt);
}

TEST(Sweep, RefusesValuesThatNothingCanHave) {
  struct Case {
    const char* name;
    AskedSweep asked;
    const char* refusal;
  };
  for (const Case& c :
       {Case{"of a setting",
             {.scenario = "tiny-llama", .axes = {{"micro_batch", {"1", "two", "-1"}}}},
             "--set micro_batch=two: expected an integer in [1, 65536], got \"two\"\n"
             "--set micro_batch=-1: expected an integer in [1, 65536], got \"-1\"; did you mean "
             "\"1\"?"},
        Case{"of a field",
             {.scenario = "llama3-8b", .axes = {{"cluster.gpus", {"8", "12"}}}},
             "--set cluster.gpus=12: expected a multiple of /cluster/gpus_per_node (8), got 12"},
        Case{"one value in two ways",
             {.scenario = "ads-73b", .axes = {{"embedding_cache_ratio", {"0.5", "0.50"}}}},
             "--set embedding_cache_ratio: expected each value once, got \"0.50\" twice"},
        Case{
            "a table of runs",
            {.scenario = "nanotron-3.57b-128gpu", .axes = {{"tensor_parallel", {"1"}}}},
            "nanotron-3.57b-128gpu: expected a scenario with a model, got a table of runs: nothing "
            "is simulated, but search plays what was measured"},
        Case{"two objectives",
             {.scenario = "tiny-llama", .axes = {{"objective.metric", {"mfu", "step_time_s"}}}},
             "--set objective.metric: expected one value, as one objective compares all points, "
             "got 2"},
        Case{"twice",
             {.scenario = "tiny-llama", .axes = {{"micro_batch", {"1"}}, {"micro_batch", {"2"}}}},
             "--set micro_batch=2: \"micro_batch\" is set twice"}}) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(refusal_of(c.asked), c.refusal);
  }
}

// 24 GPUs are three nodes of 8, and none of 16.
TEST(Sweep, HasPointsWhoseProblemCannotBe) {
  const Sweep sweep =
      swept({.scenario = "llama3-8b",
             .axes = {{"cluster.gpus", {"16", "24"}}, {"cluster.gpus_per_node", {"8", "16"}}}});
  ASSERT_EQ(sweep.points.size(), 4U);
  EXPECT_EQ(sweep.points[3].status, "invalid");
  EXPECT_EQ(sweep.points[3].reason, Reason::invalid);
  EXPECT_EQ(sweep.points[3].why,
            "--set cluster.gpus=24: expected a multiple of /cluster/gpus_per_node (16), got 24");
  EXPECT_EQ(sweep.points[3].memory_bytes, std::nullopt);
  EXPECT_THAT(sweep.points[1].why, testing::Not(HasSubstr("--set")));
}

}  // namespace
}  // namespace cubicbench::results
