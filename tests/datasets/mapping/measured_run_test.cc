#include "datasets/mapping/measured_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "datasets/catalog/measured_catalog.h"
#include "datasets/catalog/measured_table.h"
#include "datasets/embedded.h"
#include "datasets/tables/measurement.h"
#include "sim/plan/validity.h"
#include "tests/datasets/mapping/swept_rows.h"

namespace cubicbench::datasets {
namespace {

constexpr std::int64_t huge = std::int64_t{1} << 62;

// 1.34 B parameters on one node: every number as the row has it, the rest as nanotron has it.
TEST(MeasuredRun, IsTheRowsModelPlanAndCluster) {
  const MappedRun mapped = map_run(swept_row("hfusp-0001"));
  ASSERT_TRUE(mapped.run) << mapped.reason;
  const scenarios::Scenario& scenario = mapped.run->scenario;
  const auto& model = std::get<sim::Transformer>(scenario.workload);
  EXPECT_EQ(model, (sim::Transformer{.layers = 16,
                                     .hidden = 2048,
                                     .attention_heads = 32,
                                     .kv_heads = 32,
                                     .head_size = 64,
                                     .ffn_hidden = 8192,
                                     .gated_ffn = true,
                                     .vocabulary = 131'072,
                                     .tied_embeddings = true,
                                     .sequence = 4096}));
  EXPECT_EQ(scenario.device, "h100-sxm-80gb");
  EXPECT_EQ(scenario.network, "nvlink4-ndr");
  EXPECT_EQ(scenario.stack_name, "nanotron-2024");
  EXPECT_EQ(scenario.cluster.gpus, 8);
  EXPECT_EQ(scenario.cluster.gpus_per_node, 8);
  EXPECT_EQ(scenario.objective.metric, scenarios::Metric::tokens_per_s_per_gpu);
  EXPECT_EQ(scenario.baseline, (sim::Plan{.sequence_parallel = true,
                                          .schedule = sim::Schedule::one_f_one_b,
                                          .data_parallel = 8,
                                          .global_batch = 256,
                                          .micro_batch = 2,
                                          .sharding = sim::Sharding::no_shard,
                                          .accumulate_without_sync = true,
                                          .dtype = sim::Dtype::bf16,
                                          .reduce_dtype = sim::Dtype::fp32,
                                          .optimizer = sim::Optimizer::adamw}));
}

TEST(MeasuredRun, NamesWhatTheRowLeavesOpenAndNothingElse) {
  const MappedRun mapped = map_run(swept_row("hfusp-0001"));
  ASSERT_TRUE(mapped.run) << mapped.reason;
  EXPECT_EQ(
      mapped.run->assumed,
      (std::vector<std::string>{"attention_impl", "gated_ffn", "tied_embeddings", "network",
                                "schedule", "reduce_dtype", "optimizer", "accumulate_without_sync",
                                "sp", "vp", "ep", "recompute", "offload", "compile"}));
}

TEST(MeasuredRun, MapsEveryRunOfTheSweep) {
  for (const Measurement& row : sweep().rows) {
    const MappedRun mapped = map_run(row);
    ASSERT_TRUE(mapped.run) << row.id << ": " << mapped.reason;
    EXPECT_EQ(mapped.run->scenario.name, row.id);
  }
}

TEST(MeasuredRun, LaysOutEveryRunButTwoWithMoreStagesThanLayers) {
  std::vector<std::string> refused;
  for (const Measurement& row : sweep().rows) {
    if (row.status == MeasurementStatus::other) continue;
    const scenarios::Scenario scenario = map_run(row).run->scenario;
    const sim::Violation violation =
        sim::check(scenario.baseline, scenario.workload, scenario.cluster);
    if (!violation) continue;
    EXPECT_EQ(violation.rule, sim::Rule::enough_layers) << row.id;
    refused.push_back(row.id);
  }
  EXPECT_EQ(refused.size(), 2U);
}

TEST(MeasuredRun, TakesAStatedCellBeforeAnAssumption) {
  Measurement row = swept_row("hfusp-0001");
  row.recompute = "full";
  row.vp = 2;
  row.compile = true;
  const MappedRun mapped = map_run(row);
  ASSERT_TRUE(mapped.run) << mapped.reason;
  EXPECT_EQ(mapped.run->scenario.baseline.recompute, sim::Recompute::full);
  EXPECT_EQ(mapped.run->scenario.baseline.schedule, sim::Schedule::interleaved);
  EXPECT_TRUE(mapped.run->scenario.baseline.compile);
  for (const char* name : {"recompute", "vp", "compile"}) {
    EXPECT_FALSE(assumes(*mapped.run, name)) << name;
  }
}

TEST(MeasuredRun, FillsHeadsAndBatchFromWhatTheyFollowFrom) {
  Measurement row = swept_row("hfusp-0001");
  row.n_kv_heads.reset();
  row.global_batch.reset();
  const MappedRun mapped = map_run(row);
  ASSERT_TRUE(mapped.run) << mapped.reason;
  EXPECT_EQ(std::get<sim::Transformer>(mapped.run->scenario.workload).kv_heads, 32);
  EXPECT_TRUE(assumes(*mapped.run, "n_kv_heads"));
  EXPECT_EQ(mapped.run->scenario.baseline.global_batch, 8 * 2 * 16);
}

TEST(MeasuredRun, SaysWhyItCannotBePlayed) {
  struct Case {
    const char* reason;
    void (*spoil)(Measurement&);
  };
  for (const Case& c : {
           Case{"top_k is empty and no default fills it", [](Measurement& r) { r.n_experts = 8; }},
           Case{"n_experts is empty and no default fills it",
                [](Measurement& r) { r.model = "custom-8x22B"; }},
           Case{"top_k is above n_experts",
                [](Measurement& r) {
                  r.n_experts = 8;
                  r.top_k = 9;
                }},
           Case{"needs state_space_layers", [](Measurement& r) { r.model = "Nemotron_3_Ultra"; }},
           Case{"needs bidirectional_attention",
                [](Measurement& r) { r.model = "bert/bert_release"; }},
           Case{"needs adapters beside experts",
                [](Measurement& r) {
                  r.n_experts = 8;
                  r.top_k = 2;
                  r.notes = "LoRA";
                }},
           Case{"n_layers is empty and no default fills it",
                [](Measurement& r) {
                  r.n_layers.reset();
                  r.n_params_b.reset();
                }},
           Case{"n_layers is not above zero", [](Measurement& r) { r.n_layers = 0; }},
           Case{"d_model is above 10^9", [](Measurement& r) { r.d_model = huge; }},
           Case{"n_heads does not divide d_model", [](Measurement& r) { r.d_model = 2049; }},
           Case{"n_kv_heads does not divide n_heads", [](Measurement& r) { r.n_kv_heads = 5; }},
           Case{"d_ff is empty and no default fills it",
                [](Measurement& r) {
                  r.model = "mystery";
                  r.d_ff.reset();
                }},
           Case{"no device \"abacus\" in the library", [](Measurement& r) { r.device = "abacus"; }},
           Case{"device is empty", [](Measurement& r) { r.device.clear(); }},
           Case{"n_gpus is empty and no default fills it",
                [](Measurement& r) {
                  r.n_gpus.reset();
                  r.dp.reset();
                }},
           Case{"n_gpus is above 10^6", [](Measurement& r) { r.n_gpus = huge; }},
           Case{"no setting for sharding \"zero9\"", [](Measurement& r) { r.sharding = "zero9"; }},
           Case{"no setting for tp \"4611686018427387904\"", [](Measurement& r) { r.tp = huge; }},
           Case{"micro_batch is empty and no default fills it",
                [](Measurement& r) {
                  r.micro_batch.reset();
                  r.grad_accum.reset();
                }},
           Case{"global_batch is empty and no default fills it",
                [](Measurement& r) {
                  r.global_batch.reset();
                  r.grad_accum.reset();
                }},
           Case{"global_batch is empty and no default fills it",
                [](Measurement& r) {
                  r.global_batch.reset();
                  r.dp = huge;
                  r.grad_accum = huge;
                }},
           Case{"no setting for global_batch \"4611686018427387904\"",
                [](Measurement& r) { r.global_batch = huge; }},
       }) {
    Measurement row = swept_row("hfusp-0001");
    c.spoil(row);
    const MappedRun mapped = map_run(row);
    EXPECT_FALSE(mapped.run) << c.reason;
    EXPECT_EQ(mapped.reason, c.reason);
  }
}

/// A run that says little: Llama-2 7B on one node with micro-batches of 2.
Measurement sparse_row() {
  Measurement row;
  row.id = "sparse";
  row.model = "Llama-2-7B";
  row.device = "a100-sxm-80gb";
  row.stack = "pytorch-fsdp1";
  row.n_gpus = 8;
  row.seq_len = 4096;
  row.micro_batch = 2;
  row.global_batch = 32;
  return row;
}

sim::Plan plan_of(const Measurement& row) {
  const MappedRun mapped = map_run(row);
  EXPECT_TRUE(mapped.run) << mapped.reason;
  return mapped.run ? mapped.run->scenario.baseline : sim::Plan{};
}

std::vector<std::string> assumed_of(const Measurement& row) {
  const MappedRun mapped = map_run(row);
  EXPECT_TRUE(mapped.run) << mapped.reason;
  return mapped.run ? mapped.run->assumed : std::vector<std::string>{};
}

TEST(MeasuredRun, KnowsAMixtureByWhatTheRowStatesThenByItsName) {
  struct Case {
    const char* model;
    std::optional<std::int64_t> experts, top_k, ep;
    bool mixture;
    const char* reason = "";  ///< "": none
  };
  const char* const no_count = "n_experts is empty and no default fills it";
  const char* const no_layers = "n_layers is empty and no default fills it";
  for (const Case& c : {
           Case{"Llama-2-7B", 8, 2, {}, true},
           Case{"Llama-2-7B", 8, {}, {}, true, "top_k is empty and no default fills it"},
           Case{"Llama-2-7B", {}, 2, {}, true, no_count},
           Case{"Llama-2-7B", {}, {}, 4, true, no_count},
           Case{"Llama-2-7B", {}, 1, 1, false},
           Case{"Mixtral-8x7B", 1, {}, {}, false},
           Case{"custom-8x22B", {}, {}, {}, true, no_layers},
           Case{"custom-30B-A3B", {}, {}, {}, true, no_layers},
           Case{"custom_16B_a1.4b", {}, {}, {}, true, no_layers},
           Case{"gpt3_moe_mcore", {}, {}, {}, true, no_layers},
           Case{"DeepSeek-V3", {}, {}, {}, true},
           Case{"DeepSeek-R1", {}, {}, {}, true},
           Case{"DeepSeekMoE-16B", {}, {}, {}, true},
           Case{"DeepSeek-Coder-V2", {}, {}, {}, true},
           Case{"DeepSeek-LLM-67B", {}, {}, {}, false},
           Case{"deepseek-coder-33b", {}, {}, {}, false},
           Case{"DeepSeek-R1-Distill-Llama-70B", {}, {}, {}, false},
           Case{"DeepSeek-R1-Distill-Qwen-32B", {}, {}, {}, false},
           Case{"Nemotron-3-Nano", {}, {}, {}, true},
           Case{"Nemotron-3-Ultra", {}, {}, {}, true, "needs state_space_layers"},
           Case{"Falcon-H1-7B", {}, {}, {}, false, "needs state_space_layers"},
           Case{"Bamba-9B", {}, {}, {}, false, "needs state_space_layers"},
           Case{"Granite-4.0-H-Small", {}, {}, {}, false, "needs state_space_layers"},
           Case{"Nemotron-Nano-9B-v2", {}, {}, {}, false, "needs state_space_layers"},
           Case{"LFM2-1.2B", {}, {}, {}, false, "needs short_convolutions"},
           Case{"Llama-3.2-11B-Vision", {}, {}, {}, false, "needs vision_encoder"},
           Case{"whisper-large", {}, {}, {}, false, "needs encoder_decoder"},
           Case{"DiT-XL", {}, {}, {}, false, "needs image_model"},
       }) {
    SCOPED_TRACE(c.model);
    Measurement row = sparse_row();
    row.model = c.model;
    row.n_experts = c.experts;
    row.top_k = c.top_k;
    row.ep = c.ep;
    const MappedRun mapped = map_run(row);
    EXPECT_EQ(mapped.reason, c.reason);
    EXPECT_EQ(mapped.mixture, c.mixture);
    if (mapped.run) {
      EXPECT_EQ(has_experts(std::get<sim::Transformer>(mapped.run->scenario.workload)), c.mixture);
    }
  }
}

TEST(MeasuredRun, OneStatedExpertIsADenseModel) {
  Measurement row = swept_row("hfusp-0001");
  row.model = "DeepSeekMoE-16B";
  EXPECT_TRUE(map_run(row).mixture);
  row.n_experts = 1;
  EXPECT_EQ(map_run(row).reason, "");
  EXPECT_FALSE(map_run(row).mixture);
}

sim::Adapters adapters_of(const Measurement& row) {
  const MappedRun mapped = map_run(row);
  EXPECT_EQ(mapped.reason, "");
  if (!mapped.run) return {};
  return std::get<sim::Transformer>(mapped.run->scenario.workload).adapters;
}

TEST(MeasuredRun, KnowsLoraWhereverItIsNamedAsAWord) {
  const sim::Adapters usual{.rank = 8, .products = {true, false, false, false}};
  for (std::string Measurement::*column :
       {&Measurement::notes, &Measurement::framework, &Measurement::fsdp_strategy}) {
    for (const char* text : {"LoRA", "rank-16 lora_adapters", "HF PEFT."}) {
      Measurement row = sparse_row();
      row.*column = text;
      EXPECT_EQ(adapters_of(row), usual) << text;
    }
    Measurement row = sparse_row();
    row.*column = "flora and explorator";
    EXPECT_EQ(adapters_of(row), sim::Adapters{}) << row.*column;
  }
  Measurement row = sparse_row();
  row.model = "Llama-2-7B LoRA";
  EXPECT_EQ(adapters_of(row), usual);
}

// QLoRA by its name, its format or how bitsandbytes calls models that are stored so.
TEST(MeasuredRun, KeepsFrozenWeightsInFourBitsWhereARowSaysSo) {
  const auto quantises = [](const char* notes) {
    Measurement row = sparse_row();
    row.notes = notes;
    const MappedRun mapped = map_run(row);
    EXPECT_TRUE(mapped.run.has_value()) << mapped.reason;
    return mapped.run && mapped.run->scenario.baseline.quantize_base &&
           has_adapters(std::get<sim::Transformer>(mapped.run->scenario.workload));
  };
  EXPECT_TRUE(quantises("QLoRA, 4 bits"));
  EXPECT_TRUE(quantises("LoRA on NF4 weights"));
  EXPECT_TRUE(quantises("peft; llama-bnb-4bit"));
  EXPECT_FALSE(quantises("LoRA"));
}

// A recipe's own rank, and the samples that both kinds of fine-tuning pack.
TEST(MeasuredRun, FineTunesAsTheRecipesDo) {
  Measurement row = sparse_row();
  row.framework = "Megatron-Bridge/Megatron-Core 26.06";
  row.stack = "megatron-bridge";
  row.notes = "NeMo container 26.06; lora performance";
  EXPECT_EQ(adapters_of(row).rank, 16);
  row.notes = "NeMo container 26.06; sft performance";
  EXPECT_EQ(adapters_of(row), sim::Adapters{});
  const MappedRun tuned = map_run(row);
  ASSERT_TRUE(tuned.run.has_value());
  EXPECT_EQ(std::get<sim::Transformer>(tuned.run->scenario.workload).packed_sample, 200);
  EXPECT_EQ(std::ranges::count(tuned.run->assumed, "packed_sample"), 1);
  row.notes = "NeMo container 26.06; pre-training performance";
  const MappedRun trained = map_run(row);
  ASSERT_TRUE(trained.run.has_value());
  EXPECT_EQ(std::get<sim::Transformer>(trained.run->scenario.workload).packed_sample, 0);
}

TEST(MeasuredRun, FindsTheBatchFromTwoOfItsThreeFactors) {
  struct Case {
    const char* name;
    std::optional<std::int64_t> dp, micro_batch, steps, batch;
    std::int64_t expected_micro_batch, expected_batch;
    std::vector<std::string> assumed;
  };
  for (const Case& c : {
           Case{"all is stated", 4, 2, 4, 32, 2, 32, {}},
           Case{"4 replicas of 8 GPUs x 2 x 3 steps", {}, 2, 3, {}, 2, 24, {"dp", "global_batch"}},
           Case{"4 x 2 x 3", 4, 2, 3, {}, 2, 24, {"global_batch"}},
           Case{"48 over 4 x 3", 4, {}, 3, 48, 4, 48, {"micro_batch"}},
           Case{"48 over 4 x 3, replicas derived", {}, {}, 3, 48, 4, 48, {"dp", "micro_batch"}},
           Case{"33 is no multiple of 4 x 2: 4 x 2 x 4", 4, 2, 4, 33, 2, 32, {"global_batch"}},
           Case{"64 contradicts 4 x 2 x 4 but can be laid out", 4, 2, 4, 64, 2, 64, {}},
           Case{"a batch alone", {}, 2, {}, 32, 2, 32, {"dp"}},
       }) {
    SCOPED_TRACE(c.name);
    Measurement row = sparse_row();
    row.tp = 2;
    row.dp = c.dp;
    row.micro_batch = c.micro_batch;
    row.grad_accum = c.steps;
    row.global_batch = c.batch;
    const sim::Plan plan = plan_of(row);
    EXPECT_EQ(plan.micro_batch, c.expected_micro_batch);
    EXPECT_EQ(plan.global_batch, c.expected_batch);
    std::vector<std::string> of_batch;
    for (const std::string& name : assumed_of(row)) {
      if (name == "dp" || name == "micro_batch" || name == "global_batch") of_batch.push_back(name);
    }
    EXPECT_EQ(of_batch, c.assumed);
  }
}

TEST(MeasuredRun, FindsABatchThatTheRowStatesOnlyInPart) {
  struct Case {
    const char* name;
    const char* stack;
    std::optional<std::int64_t> micro_batch, batch;
    std::int64_t expected_micro_batch, expected_batch;
  };
  for (const Case& c : {
           Case{"FSDP accumulates nothing: 48 over 8", "pytorch-fsdp1", {}, 48, 6, 48},
           Case{"FSDP with a micro-batch alone: 8 x 3", "pytorch-fsdp1", 3, {}, 3, 24},
           Case{"NeMo's micro-batches are of one sequence", "megatron-bridge", {}, 48, 1, 48},
           Case{"a batch of 2 is one of each of 8 replicas", "pytorch-fsdp1", {}, 2, 2, 16},
       }) {
    SCOPED_TRACE(c.name);
    Measurement row = sparse_row();
    row.stack = c.stack;
    row.micro_batch = c.micro_batch;
    row.global_batch = c.batch;
    const sim::Plan plan = plan_of(row);
    EXPECT_EQ(plan.micro_batch, c.expected_micro_batch);
    EXPECT_EQ(plan.global_batch, c.expected_batch);
    const std::vector<std::string> assumed = assumed_of(row);
    EXPECT_EQ(std::ranges::count(assumed, "micro_batch"), c.micro_batch ? 0 : 1);
  }
}

TEST(MeasuredRun, NamesTheFamilyWhoseStackPlays) {
  Measurement row = sparse_row();
  row.stack = "abacus";
  row.sharding = "full_shard";
  EXPECT_EQ(std::ranges::count(assumed_of(row), "stack=pytorch-eager"), 1);
  row.date = "2023-05";
  EXPECT_EQ(std::ranges::count(assumed_of(row), "stack=pytorch-eager-2023"), 1);
  row.stack = "nanotron-2024";  // a stack of the library is its own
  EXPECT_EQ(std::ranges::count(assumed_of(row), "stack=pytorch-eager-2023"), 0);
  row.stack = "pytorch-fsdp1";
  EXPECT_EQ(std::ranges::count(assumed_of(row), "stack"), 0);
}

/// MaxText's on chips of two cores, which the source counts as devices.
Measurement chips_row() {
  Measurement row = sparse_row();
  row.stack = "maxtext";
  row.device = "tpu-v7x";
  row.n_gpus = 64;
  row.dp = 128;
  row.micro_batch.reset();
  row.global_batch = 256;
  row.interconnect = "ICI torus 4x4x4";
  return row;
}

TEST(MeasuredRun, ASliceIsOneDomain) {
  const MappedRun mapped = map_run(chips_row());
  ASSERT_TRUE(mapped.run) << mapped.reason;
  const sim::Cluster& cluster = mapped.run->scenario.cluster;
  EXPECT_EQ(cluster.gpus_per_node, 64);
  EXPECT_EQ(cluster.network.torus, (std::array<int, sim::torus_axes_max>{4, 4, 4}));
  EXPECT_FALSE(mapped.run->judges_memory);  // no stack says what XLA keeps
  Measurement row = chips_row();
  row.device = "tpu-v6e";
  row.n_gpus = 128;
  row.interconnect = "ICI";
  const MappedRun flat = map_run(row);
  ASSERT_TRUE(flat.run) << flat.reason;
  EXPECT_EQ(flat.run->scenario.cluster.network.torus,
            (std::array<int, sim::torus_axes_max>{8, 16, 0}));
}

TEST(MeasuredRun, ReplicasOfCoresAreThoseOfTheirChips) {
  Measurement row = chips_row();
  EXPECT_EQ(plan_of(row).data_parallel, 64);
  EXPECT_EQ(plan_of(row).micro_batch, 4);  // two sequences a core
  EXPECT_EQ(std::ranges::count(assumed_of(row), "dp"), 1);
  row.dp = 64;
  EXPECT_EQ(plan_of(row).data_parallel, 64);
  EXPECT_EQ(std::ranges::count(assumed_of(row), "dp"), 0);
  row.device = "tpu-v5p";  // whose cores are one device
  row.dp = 128;
  EXPECT_EQ(plan_of(row).data_parallel, 128);
}

TEST(MeasuredRun, CountsGpusFromTheDegreesOfParallelism) {
  Measurement row = sparse_row();
  row.n_gpus.reset();
  row.dp = 3;
  row.tp = 2;
  row.pp = 4;
  const MappedRun mapped = map_run(row);
  ASSERT_TRUE(mapped.run) << mapped.reason;
  EXPECT_EQ(mapped.run->scenario.cluster.gpus, 24);
  EXPECT_TRUE(assumes(*mapped.run, "n_gpus"));
}

TEST(MeasuredRun, ReadsTheSizeOfAShardingGroupFromTheStrategy) {
  Measurement row = sparse_row();
  row.sharding = "zero1_hybrid";
  row.fsdp_strategy = "ZERO1 sharded within 4 ranks (hierarchical)";
  EXPECT_EQ(plan_of(row).shard_group, 4);
  EXPECT_EQ(std::ranges::count(assumed_of(row), "shard_group"), 0);
  row.fsdp_strategy = "ZERO1 over all DP";
  EXPECT_EQ(plan_of(row).shard_group, 0);
  row.fsdp_strategy = "within a node";
  EXPECT_EQ(plan_of(row).shard_group, 0);
  EXPECT_EQ(std::ranges::count(assumed_of(row), "shard_group"), 1);
  row.sharding = "full_shard";
  EXPECT_EQ(std::ranges::count(assumed_of(row), "shard_group"), 0);
}

TEST(MeasuredRun, TakesAStatedAdapterRate) {
  Measurement row = sparse_row();
  row.fabric = "ib";
  row.nic_gbps_per_gpu = 100.0;
  const MappedRun mapped = map_run(row);
  ASSERT_TRUE(mapped.run) << mapped.reason;
  EXPECT_EQ(mapped.run->scenario.cluster.network.inter_bandwidth.value, 12.5e9);  // 100 Gb/s / 8
}

TEST(MeasuredRun, TakesNoAdapterRateThatIsNominalOnly) {
  for (const char* fabric : {"tcp", "tcpx", "tcpxo", "ipoib", "ethernet"}) {
    Measurement row = sparse_row();
    row.device = "h100-sxm-80gb";
    row.fabric = fabric;
    const MappedRun plain = map_run(row);
    row.nic_gbps_per_gpu = 400.0;
    const MappedRun rated = map_run(row);
    ASSERT_TRUE(plain.run && rated.run) << fabric;
    EXPECT_EQ(rated.run->scenario.cluster.network, plain.run->scenario.cluster.network) << fabric;
  }
}

TEST(MeasuredRun, HasTheAttentionKernelThatTheRowStates) {
  struct Case {
    const char* stack;
    const char* text;
    sim::AttentionKernel expected;
  };
  for (const Case& c : {Case{"megatron-lm", "", sim::AttentionKernel::unfused},
                        Case{"megatron-lm", "flash", sim::AttentionKernel::flash2},
                        Case{"megatron-core", "flash", sim::AttentionKernel::cudnn},
                        Case{"megatron-core", "unfused", sim::AttentionKernel::unfused},
                        Case{"pytorch-fsdp1", "triton-flash", sim::AttentionKernel::flash1},
                        Case{"pytorch-fsdp1", "SDPA flash v2", sim::AttentionKernel::flash2},
                        Case{"pytorch-fsdp1", "something else", sim::AttentionKernel::flash2}}) {
    SCOPED_TRACE(std::string(c.stack) + " " + c.text);
    Measurement row = sparse_row();
    row.stack = c.stack;
    row.attention_impl = c.text;
    const MappedRun mapped = map_run(row);
    ASSERT_TRUE(mapped.run) << mapped.reason;
    EXPECT_EQ(mapped.run->scenario.stack.attention, c.expected);
  }
}

// Llama 3.1 405B has 126 layers: 16 stages of 8 chunks are 128, two of them embedding and head.
TEST(MeasuredRun, PlaysChunksOfEmbeddingAndHeadAlone) {
  Measurement row = sparse_row();
  row.model = "LLAMA3.1_405B";
  row.stack = "megatron-bridge";
  row.n_gpus = 128;
  row.tp = 8;
  row.pp = 16;
  row.vp = 8;
  EXPECT_EQ(plan_of(row).virtual_stages, 8);
  row.vp = 9;
  EXPECT_EQ(plan_of(row).virtual_stages, 9);  // 144 chunks are the row's own problem
  row.vp = 7;
  EXPECT_EQ(plan_of(row).virtual_stages, 7);
  EXPECT_EQ(plan_of(row).schedule, sim::Schedule::interleaved);
}

TEST(MeasuredRun, KeepsFp32WeightsOnlyForFp32Products) {
  Measurement row = sparse_row();
  for (const auto& [dtype, weights] :
       {std::pair{"fp32", sim::Dtype::fp32}, std::pair{"tf32", sim::Dtype::fp32},
        std::pair{"fp8", sim::Dtype::bf16}, std::pair{"nvfp4", sim::Dtype::bf16}}) {
    row.dtype = dtype;
    EXPECT_EQ(plan_of(row).param_dtype, weights) << dtype;
  }
}

/// Every published table of training runs that ships.
std::vector<Measurements> shipped_runs() {
  std::vector<Measurements> tables;
  for (const support::EmbeddedFile& file : embedded_files()) {
    if (!file.path.starts_with("measured/") || !file.path.ends_with(".csv")) continue;
    const std::string stem = std::filesystem::path(file.path).stem().string();
    if (is_kernel_table(stem)) continue;
    MeasuredTable table = read_measured_table(file.text, std::string(file.path));
    if (auto* const runs = std::get_if<Measurements>(&table)) tables.push_back(std::move(*runs));
  }
  return tables;
}

bool is_wanted(const Measurement& row) {
  return (row.status == MeasurementStatus::ok || row.status == MeasurementStatus::oom) &&
         (row.quality == MeasurementQuality::ok || row.quality == MeasurementQuality::early_pp);
}

struct Coverage {
  int laid_out = 0;
  int refused = 0;  ///< mapped, but no plan that can be laid out
  int needing = 0;  ///< needs what the simulator lacks
  int open = 0;     ///< says too little

  bool operator==(const Coverage&) const = default;
};

Coverage coverage_of(const Measurements& table) {
  Coverage coverage;
  for (const Measurement& row : table.rows) {
    if (!is_wanted(row)) continue;
    const MappedRun mapped = map_run(row);
    if (!mapped.run) {
      ++(mapped.reason.starts_with("needs ") ? coverage.needing : coverage.open);
      continue;
    }
    const scenarios::Scenario& scenario = mapped.run->scenario;
    const bool is_refused =
        static_cast<bool>(sim::check(scenario.baseline, scenario.workload, scenario.cluster));
    ++(is_refused ? coverage.refused : coverage.laid_out);
  }
  return coverage;
}

TEST(MeasuredRun, CoversTheTablesThatShip) {
  const std::map<std::string, Coverage, std::less<>> expected{
      {"bigscience_bloom_prequel", {.laid_out = 90}},
      {"dlperf_llm", {.laid_out = 50}},
      {"flagperf", {.laid_out = 42}},
      {"hf_ultrascale_nanotron_sweep", {.laid_out = 2546, .refused = 2}},
      {"ibm_fms_fsdp", {.laid_out = 12}},
      {"internevo", {.laid_out = 70}},
      {"maxtext_tpu_gpu", {}},
      {"megatron_core_ci_golden", {.laid_out = 131, .needing = 2, .open = 5}},
      {"mlperf_llm_pretraining", {.laid_out = 13}},
      {"mosaicml_llm_foundry", {.laid_out = 203}},
      {"neuron_trn1", {.laid_out = 31}},
      {"nvidia_dgxc_benchmarking", {.laid_out = 126}},
      {"nvidia_megatron_bridge", {.laid_out = 230, .refused = 2, .needing = 1}},
      {"nvidia_nemo_docs", {.laid_out = 12}},
      {"other_frameworks", {.laid_out = 74, .open = 1}},
      {"papers_and_reports", {.laid_out = 20, .refused = 1}},
      {"torchtitan", {.laid_out = 23}},
      {"tpu_recipes", {.laid_out = 52, .needing = 1}},
      {"vtrain", {.laid_out = 1127}},
  };
  std::size_t seen = 0;
  for (const Measurements& table : shipped_runs()) {
    const auto counts = expected.find(table.name);
    if (counts == expected.end()) continue;
    ++seen;
    const Coverage coverage = coverage_of(table);
    EXPECT_EQ(coverage.laid_out, counts->second.laid_out) << table.name;
    EXPECT_EQ(coverage.refused, counts->second.refused) << table.name;
    EXPECT_EQ(coverage.needing, counts->second.needing) << table.name;
    EXPECT_EQ(coverage.open, counts->second.open) << table.name;
  }
  EXPECT_GE(seen, 1U);
}

TEST(MeasuredRun, NamesEveryAssumptionOnce) {
  for (const Measurements& table : shipped_runs()) {
    for (const Measurement& row : table.rows) {
      const MappedRun mapped = map_run(row);
      EXPECT_EQ(mapped.run.has_value(), mapped.reason.empty()) << row.id;
      if (!mapped.run) continue;
      std::vector<std::string> names = mapped.run->assumed;
      std::ranges::sort(names);
      EXPECT_EQ(std::ranges::adjacent_find(names), names.end()) << row.id;
    }
  }
}

}  // namespace
}  // namespace cubicbench::datasets
