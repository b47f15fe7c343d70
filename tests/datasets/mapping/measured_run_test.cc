#include "datasets/mapping/measured_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "datasets/measurement.h"
#include "sim/plan/validity.h"

namespace cubicbench::datasets {
namespace {

const Measurements& sweep() {
  static const Measurements read =
      find_measurements("hf_ultrascale_nanotron_sweep", "the test's table");
  return read;
}

Measurement row_of(const std::string& id) {
  const auto found = std::ranges::find(sweep().rows, id, &Measurement::id);
  EXPECT_NE(found, sweep().rows.end()) << id;
  return found == sweep().rows.end() ? Measurement{} : *found;
}

bool assumes(const MeasuredRun& run, const std::string& name) {
  return std::ranges::count(run.assumed, name) == 1;
}

// 1.34 B parameters on one node: every number as the row has it, the rest as nanotron has it.
TEST(MeasuredRun, IsTheRowsModelPlanAndCluster) {
  const MappedRun mapped = map_run(row_of("hfusp-0001"));
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
  const MappedRun mapped = map_run(row_of("hfusp-0001"));
  ASSERT_TRUE(mapped.run) << mapped.reason;
  EXPECT_EQ(mapped.run->assumed,
            (std::vector<std::string>{"gated_ffn", "tied_embeddings", "network", "schedule",
                                      "reduce_dtype", "optimizer", "accumulate_without_sync", "sp",
                                      "vp", "ep", "recompute", "offload", "compile"}));
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
  Measurement row = row_of("hfusp-0001");
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
  Measurement row = row_of("hfusp-0001");
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
           Case{"stack is empty and no default fills it", [](Measurement& r) { r.stack.clear(); }},
           Case{"no software stack stands for \"maxtext\"",
                [](Measurement& r) { r.stack = "maxtext"; }},
           Case{"needs mixture_of_experts", [](Measurement& r) { r.n_experts = 8; }},
           Case{"n_layers is empty and no default fills it",
                [](Measurement& r) { r.n_layers.reset(); }},
           Case{"n_layers is not above zero", [](Measurement& r) { r.n_layers = 0; }},
           Case{"n_heads does not divide d_model", [](Measurement& r) { r.d_model = 2049; }},
           Case{"n_kv_heads does not divide n_heads", [](Measurement& r) { r.n_kv_heads = 5; }},
           Case{"nothing is known of the feed-forward network of \"mystery\"",
                [](Measurement& r) { r.model = "mystery"; }},
           Case{"no device \"tpu-v4\" in the library", [](Measurement& r) { r.device = "tpu-v4"; }},
           Case{"device is empty", [](Measurement& r) { r.device.clear(); }},
           Case{"n_gpus is empty and no default fills it",
                [](Measurement& r) { r.n_gpus.reset(); }},
           Case{"no network of the library stands for fabric \"ici\" of \"h100-sxm-80gb\"",
                [](Measurement& r) { r.fabric = "ici"; }},
           Case{"no setting for sharding \"zero9\"", [](Measurement& r) { r.sharding = "zero9"; }},
           Case{"micro_batch is empty and no default fills it",
                [](Measurement& r) { r.micro_batch.reset(); }},
           Case{"global_batch is empty and no default fills it",
                [](Measurement& r) {
                  r.global_batch.reset();
                  r.grad_accum.reset();
                }},
       }) {
    Measurement row = row_of("hfusp-0001");
    c.spoil(row);
    const MappedRun mapped = map_run(row);
    EXPECT_FALSE(mapped.run) << c.reason;
    EXPECT_EQ(mapped.reason, c.reason);
  }
}

}  // namespace
}  // namespace cubicbench::datasets
