#include <gtest/gtest.h>

#include <functional>

#include "sim/plan/device_mesh.h"
#include "sim/plan/pipeline_schedule.h"
#include "sim/plan/validity.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

using FirstAndLast = std::pair<std::int64_t, std::int64_t>;

/// Ranks, and those that share a node.
FirstAndLast ends_of(const Group& group) { return {group.ranks, group.ranks_per_node}; }

TEST(Validity, NamesTheFirstBrokenRule) {
  struct Case {
    Rule rule;
    const char* setting;
    std::function<void(Plan&)> breaks;
  };
  const Case cases[] = {
      {Rule::none, "", [](Plan&) {}},
      {Rule::gpus_divide, "cluster.gpus", [](Plan& p) { p.tensor_parallel = 3; }},
      {Rule::gpus_divide, "gpus", [](Plan& p) { p.gpus = 64, p.tensor_parallel = 3; }},
      {Rule::data_parallel_matches, "data_parallel", [](Plan& p) { p.data_parallel = 4; }},
      {Rule::batch_divides, "global_batch", [](Plan& p) { p.global_batch = 100; }},
      {Rule::heads_divide, "tensor_parallel",
       [](Plan& p) { p.tensor_parallel = 64, p.pipeline_parallel = 1; }},
      {Rule::enough_layers, "virtual_stages",
       [](Plan& p) { p.schedule = Schedule::interleaved, p.virtual_stages = 9; }},
      // 32 layers, embedding and head in as many chunks.
      {Rule::none, "",
       [](Plan& p) {
         p.pipeline_parallel = 2, p.schedule = Schedule::interleaved, p.virtual_stages = 17;
       }},
      {Rule::schedule_fits, "pipeline_parallel",
       [](Plan& p) {
         p.pipeline_parallel = 1;
         p.schedule = Schedule::interleaved;
         p.virtual_stages = 2;
       }},
      {Rule::schedule_fits, "virtual_stages",
       [](Plan& p) { p.schedule = Schedule::interleaved, p.virtual_stages = 1; }},
      {Rule::micro_batches_fill, "global_batch",
       [](Plan& p) {
         p.schedule = Schedule::interleaved;
         p.virtual_stages = 2;
         p.global_batch = 48;
       }},
      {Rule::shard_group_divides, "shard_group",
       [](Plan& p) { p.sharding = Sharding::hybrid_shard, p.shard_group = 3; }},
      {Rule::expert_parallel_dense, "expert_parallel", [](Plan& p) { p.expert_parallel = 2; }},
      {Rule::schedule_pipelines, "pipeline_parallel",
       [](Plan& p) { p.pipeline_parallel = 1, p.schedule = Schedule::zb_h1; }},
      {Rule::enough_layers, "pipeline_parallel",
       [](Plan& p) {
         p.pipeline_parallel = 32, p.tensor_parallel = 1, p.schedule = Schedule::zb_v;
       }},
      {Rule::none, "",
       [](Plan& p) {
         p.pipeline_parallel = 32, p.tensor_parallel = 1, p.schedule = Schedule::dualpipe;
       }},
      {Rule::micro_batches_suffice, "global_batch",
       [](Plan& p) { p.schedule = Schedule::dualpipev, p.global_batch = 32; }},
      {Rule::reshard_divides, "reshard_after_forward",
       [](Plan& p) { p.reshard_after_forward = 3; }},
      {Rule::not_modelled, "param_dtype", [](Plan& p) { p.param_dtype = Dtype::fp8; }},
      {Rule::not_modelled, "reduce_dtype", [](Plan& p) { p.reduce_dtype = Dtype::nvfp4; }},
  };
  for (const Case& c : cases) {
    Plan plan = round_plan();
    c.breaks(plan);
    const Violation violation = check(plan, llama_8b(), round_cluster(64));
    EXPECT_EQ(violation.rule, c.rule) << c.setting;
    EXPECT_STREQ(violation.setting, c.setting);
  }
}

TEST(Validity, SequenceMustSplitIntoPairsOfChunks) {
  Plan plan = round_plan();
  plan.context_parallel = 4;
  plan.pipeline_parallel = 1;
  Transformer model = llama_8b();
  EXPECT_FALSE(check(plan, model, round_cluster(64)));
  model.sequence = 8188;  // a multiple of 4, not of 8
  EXPECT_EQ(check(plan, model, round_cluster(64)).rule, Rule::sequence_divides);
}

// Heads of keys may be shared by ranks or divided among them, nothing between.
TEST(Validity, HeadsOfKeysDivideOrAreShared) {
  Plan plan = round_plan();
  plan.tensor_parallel = 4;
  Transformer model = llama_8b();
  model.attention_heads = 24;
  for (const std::int64_t divide : {1, 2, 4, 8, 12}) {
    model.kv_heads = divide;
    EXPECT_FALSE(check(plan, model, round_cluster(64))) << divide;
  }
  model.kv_heads = 6;
  const Violation violation = check(plan, model, round_cluster(64));
  EXPECT_EQ(violation.rule, Rule::kv_heads_divide);
  EXPECT_EQ(violation.got, 4);
  EXPECT_EQ(violation.needs, 6);
}

// Both ends of DualPipe's model are on two stages, and each way takes half of the micro-batches.
TEST(Validity, DualPipeTakesPairsOfStagesAndOfMicroBatches) {
  Plan plan{};
  plan.tensor_parallel = 8;
  plan.pipeline_parallel = 3;
  plan.schedule = Schedule::dualpipe;
  plan.global_batch = 8;
  EXPECT_EQ(check(plan, llama_8b(), round_cluster(24)).rule, Rule::stages_pair);
  plan.pipeline_parallel = 2;
  EXPECT_FALSE(check(plan, llama_8b(), round_cluster(16)));
  plan.global_batch = 9;
  EXPECT_EQ(check(plan, llama_8b(), round_cluster(16)).rule, Rule::micro_batches_pair);
  plan.global_batch = 2;
  EXPECT_EQ(check(plan, llama_8b(), round_cluster(16)).rule, Rule::micro_batches_suffice);
  // From one end alone they need no pair.
  plan.schedule = Schedule::dualpipev;
  plan.global_batch = 9;
  EXPECT_FALSE(check(plan, llama_8b(), round_cluster(16)));
}

TEST(Validity, AnUnsupportedTypeIsNamed) {
  Cluster cluster = round_cluster(64);
  cluster.device.matmul_peak[static_cast<std::size_t>(Dtype::fp8)] = FlopsPerSecond{};
  Plan plan = round_plan();
  plan.dtype = Dtype::fp8;
  EXPECT_EQ(check(plan, llama_8b(), cluster).rule, Rule::dtype_supported);
}

TEST(DeviceMesh, LaysOutTensorContextDataPipeline) {
  const Plan plan = round_plan();  // tp 2, pp 4, dp 8 on 64 GPUs, 8 a node
  const DeviceMesh mesh = device_mesh(plan, round_cluster(64), true);
  EXPECT_EQ(ends_of(mesh.tensor), (FirstAndLast{2, 2}));
  EXPECT_EQ(ends_of(mesh.weights.replica), (FirstAndLast{8, 4}));  // every second GPU of two nodes
  EXPECT_EQ(nodes_of(mesh.weights.replica), 2);
  EXPECT_EQ(ends_of(mesh.pipeline), (FirstAndLast{4, 1}));
}

TEST(DeviceMesh, LaysOutTensorContextPipelineData) {
  Plan plan = round_plan();
  DeviceMesh mesh = device_mesh(plan, round_cluster(64), false);
  EXPECT_EQ(ends_of(mesh.tensor), (FirstAndLast{2, 2}));
  EXPECT_EQ(ends_of(mesh.context), (FirstAndLast{1, 1}));
  EXPECT_EQ(ends_of(mesh.weights.replica), (FirstAndLast{8, 1}));  // 8 GPUs apart: one a node
  EXPECT_EQ(nodes_of(mesh.pipeline), 1);
  plan.pipeline_parallel = 1;
  plan.context_parallel = 2;
  for (const bool stages_outermost : {false, true}) {  // one stage: the same
    mesh = device_mesh(plan, round_cluster(64), stages_outermost);
    EXPECT_EQ(ends_of(mesh.context), (FirstAndLast{2, 2}));
    EXPECT_EQ(ends_of(mesh.weights.replica), (FirstAndLast{32, 4}));  // every second GPU
  }
}

TEST(DeviceMesh, HybridShardsInsideTheNodeUnlessTold) {
  Plan plan{};
  plan.global_batch = 64;
  plan.sharding = Sharding::hybrid_shard;
  DeviceMesh mesh = device_mesh(plan, round_cluster(64), true);
  EXPECT_EQ(ends_of(mesh.weights.shard), (FirstAndLast{8, 8}));
  EXPECT_EQ(ends_of(mesh.weights.replicate), (FirstAndLast{8, 1}));
  plan.shard_group = 32;
  mesh = device_mesh(plan, round_cluster(64), true);
  EXPECT_EQ(ends_of(mesh.weights.shard), (FirstAndLast{32, 8}));
  EXPECT_EQ(ends_of(mesh.weights.replicate), (FirstAndLast{2, 1}));
}

TEST(PipelineSchedule, LayersSumToTheModel) {
  Transformer model = llama_8b();
  for (const StageBalance balance :
       {StageBalance::even, StageBalance::ends_short, StageBalance::even_or_ends_short,
        StageBalance::even_or_front_full}) {
    for (model.layers = 4; model.layers <= 130; ++model.layers) {
      Plan plan = round_plan();
      for (plan.pipeline_parallel = 1; plan.pipeline_parallel <= 16; ++plan.pipeline_parallel) {
        if (plan.pipeline_parallel > model.layers) {
          continue;
        }
        std::int64_t sum = 0;
        for (std::int64_t i = 0; i < plan.pipeline_parallel; ++i) {
          const std::int64_t layers = stage_layers(plan, model, balance, i);
          EXPECT_GE(layers, 1) << model.layers << " " << plan.pipeline_parallel << " " << i;
          sum += layers;
        }
        EXPECT_EQ(sum, model.layers);
      }
    }
  }
}

TEST(PipelineSchedule, LlamaLeavesTheEndStagesOneShort) {
  Transformer model = llama_8b();
  model.layers = 126;
  Plan plan = round_plan();
  plan.pipeline_parallel = 16;
  EXPECT_EQ(stage_layers(plan, model, StageBalance::ends_short, 0), 7);
  EXPECT_EQ(stage_layers(plan, model, StageBalance::ends_short, 7), 8);
  EXPECT_EQ(stage_layers(plan, model, StageBalance::ends_short, 15), 7);
}

TEST(PipelineSchedule, MegatronCoreCountsTheEndsWhereLayersDoNotDivide) {
  Transformer model = llama_8b();
  Plan plan = round_plan();
  plan.schedule = Schedule::interleaved;
  constexpr StageBalance balance = StageBalance::even_or_ends_short;
  model.layers = 126;  // with the ends 128: four layers in each of 8 x 4 chunks
  plan.pipeline_parallel = 8;
  plan.virtual_stages = 4;
  EXPECT_EQ(stage_layers(plan, model, balance, 0), 15);
  EXPECT_EQ(stage_layers(plan, model, balance, 1), 16);
  EXPECT_EQ(stage_layers(plan, model, balance, 7), 15);
  model.layers = 80;  // four in each of 4 x 5
  plan.pipeline_parallel = 4;
  plan.virtual_stages = 5;
  EXPECT_EQ(stage_layers(plan, model, balance, 0), 20);
  EXPECT_EQ(stage_layers(plan, model, balance, 3), 20);
}

TEST(PipelineSchedule, LayoutsOfDeepSeekFillTheFront) {
  Transformer model = llama_8b();
  model.layers = 61;
  model.prediction_layers = 1;
  constexpr StageBalance balance = StageBalance::even_or_front_full;
  Plan plan = round_plan();
  plan.pipeline_parallel = 16;  // "Et*4|(t*4|)*14tmL"
  EXPECT_EQ(stage_layers(plan, model, balance, 0), 4);
  EXPECT_EQ(stage_layers(plan, model, balance, 14), 4);
  EXPECT_EQ(stage_layers(plan, model, balance, 15), 1);
  plan.schedule = Schedule::interleaved;
  plan.pipeline_parallel = 2;
  plan.virtual_stages = 8;
  EXPECT_EQ(stage_layers(plan, model, balance, 0), 32);
  EXPECT_EQ(stage_layers(plan, model, balance, 1), 29);
  model.layers = 94;  // with the ends 96: two in each of 4 x 12
  plan.pipeline_parallel = 4;
  plan.virtual_stages = 12;
  EXPECT_EQ(stage_layers(plan, model, balance, 0), 23);
  EXPECT_EQ(stage_layers(plan, model, balance, 1), 24);
}

TEST(PipelineSchedule, HoldsAsManyMicroBatchesAsTheSchedule) {
  Plan plan = round_plan();  // p = 4
  EXPECT_EQ(in_flight(plan, 16, 0), 4.0);
  EXPECT_EQ(in_flight(plan, 16, 3), 1.0);
  EXPECT_EQ(in_flight(plan, 2, 0), 2.0);
  plan.schedule = Schedule::gpipe;
  EXPECT_EQ(in_flight(plan, 16, 3), 16.0);
  plan.schedule = Schedule::interleaved;
  plan.virtual_stages = 2;
  EXPECT_EQ(in_flight(plan, 16, 0), (2.0 * 3.0 + 4.0 + 1.0) / 2.0);
  EXPECT_EQ(in_flight(plan, 4, 0), 4.0);
}

}  // namespace
}  // namespace cubicbench::sim
