#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/catalog.h"
#include "scenarios/evaluation/evaluate.h"
#include "scenarios/evaluation/stage_replay.h"
#include "scenarios/readers/description_reader.h"
#include "scenarios/readers/scenario_reader.h"

namespace cubicbench::scenarios {
namespace {

sim::Stack library_stack(const std::string& name) {
  std::vector<support::Problem> problems;
  sim::Stack stack = read_stack(find_document(Kind::stack, name, "", ""), problems);
  EXPECT_TRUE(problems.empty());
  return stack;
}

TEST(StageMemory, OfTheLargestIsWhatEvaluateReports) {
  for (const char* name : {"llama3-405b", "tiny-gpt", "ads-73b"}) {
    SCOPED_TRACE(name);
    const Scenario scenario = read_scenario(name);
    sim::Workspace workspace;
    const sim::StepReport report = evaluate(scenario, scenario.baseline, workspace);
    ASSERT_NE(report.status, sim::StepStatus::invalid);
    const sim::StageMemory largest =
        stage_memory(scenario, scenario.baseline, sim::StageChoice::largest, workspace);
    EXPECT_EQ(largest.allocated, report.memory.allocated);
    EXPECT_EQ(largest.reserved, report.memory.reserved);
    // What the device has, less what the allocator can get, lies outside it (whole bytes).
    EXPECT_NEAR((largest.device - largest.reserved).value,
                (scenario.cluster.device.memory - report.memory.capacity).value, 1.0);
    EXPECT_LE(largest.static_state, largest.allocated);
    EXPECT_GT(largest.static_state.value, 0.0);
  }
}

TEST(StageMemory, OfNanotronsFirstStageIsWhatItsRunsLogged) {
  struct Case {
    const char* name;
    std::int64_t layers, hidden, heads, ffn;
    bool tied;
    std::int64_t data, tensor, pipeline, micro_batch;
    sim::Sharding sharding;
    double logged_gib;  // `peak_alloc_gib` of the sweep, three digits
  };
  // First row by hand: 20 bytes of each of 1,342,244,864 parameters, workspaces of 64 MiB and
  // rotary tables of 8 MiB are 25.07 GiB.
  for (const Case& c : {Case{"1.34B, replicas", 16, 2048, 32, 8192, true, 8, 1, 1, 2,
                             sim::Sharding::no_shard, 25.07},
                        Case{"80B, ZeRO-1, four stages", 80, 8192, 64, 28672, false, 2, 8, 4, 1,
                             sim::Sharding::zero1, 42.78},
                        Case{"and two sequences", 80, 8192, 64, 28672, false, 2, 8, 4, 2,
                             sim::Sharding::zero1, 42.91}}) {
    SCOPED_TRACE(c.name);
    Scenario scenario = read_scenario("llama3-8b");
    scenario.stack = library_stack("nanotron-2024");
    sim::Transformer model{.layers = c.layers, .hidden = c.hidden};
    model.attention_heads = c.heads;
    model.kv_heads = c.heads;
    model.head_size = c.hidden / c.heads;
    model.ffn_hidden = c.ffn;
    model.gated_ffn = true;
    model.tied_embeddings = c.tied;
    model.vocabulary = 131072;
    model.sequence = 4096;
    scenario.workload = model;
    scenario.cluster.gpus = static_cast<int>(c.data * c.tensor * c.pipeline);
    sim::Plan& plan = scenario.baseline;
    plan = sim::Plan{};
    plan.sequence_parallel = true;
    plan.accumulate_without_sync = true;
    plan.tensor_parallel = c.tensor;
    plan.pipeline_parallel = c.pipeline;
    plan.data_parallel = c.data;
    plan.micro_batch = c.micro_batch;
    plan.global_batch = 256;
    plan.sharding = c.sharding;
    sim::Workspace workspace;
    ASSERT_NE(evaluate(scenario, plan, workspace).status, sim::StepStatus::invalid);
    const sim::StageMemory first = stage_memory(scenario, plan, sim::StageChoice::first, workspace);
    EXPECT_NEAR(first.static_state.value / 0x1p30, c.logged_gib, 0.005 * c.logged_gib);
  }
}

TEST(EvaluateRoomy, TimesWhatFitsAlikeAndWhatDoesNotAsWell) {
  Scenario scenario = read_scenario("tiny-gpt");
  sim::Workspace workspace;
  const sim::StepReport fits = evaluate(scenario, scenario.baseline, workspace);
  ASSERT_EQ(fits.status, sim::StepStatus::ok);
  scenario.cluster.device.memory = sim::Bytes{1e6};
  EXPECT_EQ(evaluate(scenario, scenario.baseline, workspace).status, sim::StepStatus::oom_init);
  const sim::StepReport roomy =
      evaluate_roomy(scenario, scenario.baseline, scenario.cluster.state, workspace);
  EXPECT_EQ(roomy.status, sim::StepStatus::ok);
  EXPECT_EQ(roomy.step, fits.step);
  EXPECT_EQ(roomy.parts, fits.parts);
}

TEST(EvaluateRoomy, StillRefusesWhatCannotBeLaidOut) {
  Scenario scenario = read_scenario("tiny-gpt");
  scenario.baseline.tensor_parallel = 7;
  sim::Workspace workspace;
  EXPECT_EQ(evaluate_roomy(scenario, scenario.baseline, scenario.cluster.state, workspace).status,
            sim::StepStatus::invalid);
}

}  // namespace
}  // namespace cubicbench::scenarios
