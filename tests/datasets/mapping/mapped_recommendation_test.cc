#include "datasets/mapping/mapped_recommendation.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "datasets/mapping/library.h"
#include "datasets/mapping/recommendation_defaults.h"
#include "scenarios/evaluation/evaluate.h"
#include "scenarios/space/setting.h"
#include "support/input_error.h"

namespace cubicbench::datasets {
namespace {

RecommendationMeasurement eight_nodes() {
  RecommendationMeasurement row;
  row.id = "mlperf:3";
  row.system = "eos_n8";
  row.model = "dlrm_dcnv2";
  row.n_nodes = 8;
  row.accel_per_node = 8;
  row.n_accel = 64;
  row.accelerator = "NVIDIA H100-SXM5-80GB";
  row.nic = "Storage: 2x ConnectX-7 IB NDR 200Gb/s, Compute: 8x ConnectX-7 IB NDR 400Gb/s";
  row.framework = "NVIDIA Merlin HugeCTR Release 24.04";
  row.global_batch = 135168;
  row.samples_per_s = 48031094.0;
  return row;
}

RecommendationMeasurement wide_and_deep() {
  RecommendationMeasurement row;
  row.id = "wide:2";
  row.system = "4x (8x V100-SXM2-16GB, IB EDR 100 Gb/s x1, Xeon 5118)";
  row.model = "Wide&Deep (Criteo, deep + wide tables)";
  row.interaction = "wide+deep MLP";
  row.accelerator = "V100-SXM2-16GB";
  row.framework = "HugeCTR 2.2";
  row.precision = "FP32 (not stated otherwise)";
  row.n_accel = 32;
  row.accel_per_node = 8;
  row.global_batch = 16384;
  row.vocab = 2'600'000;
  row.embedding_dim = 32;
  row.mlp_hidden = "7x1024";
  return row;
}

const sim::Recommendation& model_of(const MappedRun& mapped) {
  return std::get<sim::Recommendation>(mapped.run->scenario.workload);
}

TEST(MappedRecommendation, ResultsOfMlperfAreScenarios) {
  const MappedRun mapped = map_recommendation(eight_nodes());
  ASSERT_TRUE(mapped.run) << mapped.reason;
  const scenarios::Scenario& scenario = mapped.run->scenario;
  EXPECT_EQ(scenario.name, "mlperf:3");
  EXPECT_EQ(scenario.device, "h100-sxm-80gb");
  EXPECT_EQ(scenario.cluster.gpus, 64);
  EXPECT_EQ(scenario.cluster.gpus_per_node, 8);
  EXPECT_EQ(scenario.network, "nvlink4-ndr");
  EXPECT_EQ(scenario.cluster.network.inter_bandwidth, sim::BytesPerSecond{50e9});
  EXPECT_EQ(scenario.stack_name, "hugectr-2023");
  EXPECT_EQ(scenario.baseline.batch_per_gpu, 2112);  // 135,168 / 64
  EXPECT_EQ(scenario.baseline.dtype, sim::Dtype::fp16);
  EXPECT_EQ(scenario.baseline.embedding_plan, sim::EmbeddingPlan::planner);
  EXPECT_EQ(scenario.baseline.dense_sharding, sim::Sharding::no_shard);
  EXPECT_EQ(scenario.baseline.input_pipeline, sim::InputPipeline::pipelined);
  EXPECT_EQ(scenario.baseline.embedding_replicate_below_gib_thousandths, 8);
  EXPECT_EQ(scenario.objective.metric, scenarios::Metric::samples_per_s);
  sim::Workspace workspace;
  const sim::StepReport report = scenarios::evaluate(scenario, scenario.baseline, workspace);
  EXPECT_EQ(report.status, sim::StepStatus::ok);
  EXPECT_GT(report.step, sim::Seconds{});
}

TEST(MappedRecommendation, ModelsHaveThePublishedSizes) {
  struct Case {
    const char* model;
    const char* interaction;
    double table_parameters, dense_parameters, ids;
  };
  // Facts of the published models: 26 tables of width 128; the dense parts of DLRM and DCNv2.
  for (const Case& c : {Case{"dlrm_dcnv2", "", 26'135'627'264.0, 16'044'545.0, 214.0},
                        Case{"dlrm", "", 26'135'627'264.0, 2'368'897.0, 26.0},
                        Case{"DLRM on Criteo 1TB (MLPerf tables, one-hot)", "DCN v2",
                             26'135'627'264.0, 16'044'545.0, 26.0},
                        Case{"DLRM T15", "dot", 4.2e9, 2'368'897.0, 26.0},
                        Case{"DLRM large 82 GB", "dot", 22.8e9, 2'368'897.0, 26.0},
                        Case{"DCNv2 T3", "cross v2", 22.8e9, 16'044'545.0, 26.0},
                        Case{"DLRM T0", "dot", 113e9, 2'368'897.0, 26.0}}) {
    SCOPED_TRACE(c.model);
    RecommendationMeasurement row = eight_nodes();
    row.model = c.model;
    row.interaction = c.interaction;
    const MappedRun mapped = map_recommendation(row);
    ASSERT_TRUE(mapped.run) << mapped.reason;
    const sim::Recommendation& model = model_of(mapped);
    EXPECT_EQ(sim::table_count(model), 26);
    EXPECT_EQ(sim::pooled_width(model), 26 * 128);
    EXPECT_NEAR(sim::table_parameters(model) / c.table_parameters, 1.0, 1e-6);
    // Biases are not counted here: 14,081 of DCNv2's and 3,713 of DLRM's.
    EXPECT_NEAR(sim::dense_parameters(model) / c.dense_parameters, 1.0, 0.002);
    EXPECT_DOUBLE_EQ(sim::ids_per_sample(model), c.ids);
  }
}

TEST(MappedRecommendation, ReleasesThatDifferHaveStacksOfTheirOwn) {
  struct Case {
    const char* framework;
    const char* round;
    const char* stack;
  };
  for (const Case& c :
       {Case{"NGC MXNet 23.04, NGC Pytorch 23.04, NGC HugeCTR 23.04", "3.0", "hugectr-2023-04"},
        Case{"NVIDIA Merlin HugeCTR Release 23.04", "3.0", "hugectr-2023-04"},
        Case{"NVIDIA HUGECTR", "3.0", "hugectr-2023-04"},
        Case{"NVIDIA Merlin HugeCTR Release 23.09", "3.1", "hugectr-2023"},
        Case{"NVIDIA HUGECTR", "4.1", "hugectr-2023"}, Case{"HugeCTR", "", "hugectr-2023"},
        Case{"TensorFlow2 (NVIDIA example)", "", "nvidia-examples-2022"},
        Case{"TorchRec", "", "torchrec-2022"}}) {
    SCOPED_TRACE(c.framework);
    RecommendationMeasurement row = eight_nodes();
    row.framework = c.framework;
    row.round = c.round;
    const MappedRun mapped = map_recommendation(row);
    ASSERT_TRUE(mapped.run) << mapped.reason;
    EXPECT_EQ(mapped.run->scenario.stack_name, c.stack);
  }
}

TEST(MappedRecommendation, MachinesAreToldByTheirNames) {
  struct Case {
    const char* accelerator;
    std::int64_t nodes, per_node;
    const char* nic;
    const char* device;
    int per_domain;
    double gbps;
  };
  for (const Case& c :
       {Case{"NVIDIA H100-SXM-80GB", 16, 8, "8x ConnectX-7 IB NDR 400Gb/s", "h100-sxm-80gb", 8,
             400},
        Case{"NVIDIA H100 80GB HBM3", 2, 8, "", "h100-sxm-80gb", 8, 400},
        Case{"NVIDIA H100 80GB HBM3", 4, 8, "8x 200Gb/s RoCE", "h100-sxm-80gb", 8, 200},
        Case{"NVIDIA A100-SXM4-80GB", 8, 8, "8x ConnectX-6 HDR 200Gb/s", "a100-sxm-80gb", 8, 200},
        Case{"NVIDIA A100-SXM-80GB CTS", 2, 4, "ConnectX-6 HDR", "a100-sxm-80gb", 4, 200},
        Case{"NVIDIA H200-SXM-141GB", 8, 8, "8x 400GbE", "h200-sxm-141gb", 8, 400},
        Case{"NVIDIA B200-SXM-180GB", 8, 8, "8x ConnectX-7 IB NDR 400Gb/s", "b200-sxm", 8, 400},
        Case{"NVIDIA Blackwell Ultra GPU (B300-SXM-270GB)", 2, 8, "", "b300-sxm", 8, 800},
        Case{"NVIDIA Blackwell GPU (GB200)", 16, 4, "4x ConnectX-7 IB NDR 400Gb/s", "gb200", 64,
             400},
        Case{"NVIDIA GB300", 18, 4, "", "gb300", 72, 400}}) {
    SCOPED_TRACE(c.accelerator);
    RecommendationMeasurement row = eight_nodes();
    row.accelerator = c.accelerator;
    row.n_nodes = c.nodes;
    row.accel_per_node = c.per_node;
    row.n_accel = c.nodes * c.per_node;
    row.nic = c.nic;
    row.global_batch = 2048 * *row.n_accel;
    const MappedRun mapped = map_recommendation(row);
    ASSERT_TRUE(mapped.run) << mapped.reason;
    const scenarios::Scenario& scenario = mapped.run->scenario;
    EXPECT_EQ(scenario.device, c.device);
    EXPECT_EQ(scenario.cluster.gpus, c.nodes * c.per_node);
    EXPECT_EQ(scenario.cluster.gpus_per_node, c.per_domain);
    EXPECT_DOUBLE_EQ(scenario.cluster.network.inter_bandwidth.value, c.gbps / 8.0 * 1e9);
    sim::Workspace workspace;
    EXPECT_EQ(scenarios::evaluate(scenario, scenario.baseline, workspace).status,
              sim::StepStatus::ok);
  }
}

/// As the published configurations have it: on one B200 node 0.008 GiB, on 16 GB200 nodes none.
TEST(MappedRecommendation, NothingIsReplicatedOnALargeRack) {
  RecommendationMeasurement row = eight_nodes();
  const auto threshold = [&](const char* accelerator, std::int64_t nodes) {
    row.accelerator = accelerator;
    row.n_nodes = nodes;
    row.accel_per_node = 4;
    row.n_accel = 4 * nodes;
    return map_recommendation(row).run->scenario.baseline.embedding_replicate_below_gib_thousandths;
  };
  EXPECT_EQ(threshold("NVIDIA GB200", 2), 8);
  EXPECT_EQ(threshold("NVIDIA GB200", 16), 0);
  EXPECT_EQ(threshold("NVIDIA H100", 16), 8);
}

TEST(MappedRecommendation, PrecisionAndBatchAreTheRows) {
  RecommendationMeasurement row = eight_nodes();
  row.framework = "PyTorch (NVIDIA example)";
  row.precision = "TF32";
  row.global_batch = std::nullopt;
  row.batch_per_gpu = 4096;
  const MappedRun mapped = map_recommendation(row);
  ASSERT_TRUE(mapped.run) << mapped.reason;
  const sim::Plan& plan = mapped.run->scenario.baseline;
  EXPECT_EQ(plan.dtype, sim::Dtype::tf32);
  EXPECT_EQ(plan.param_dtype, sim::Dtype::fp32);
  EXPECT_EQ(plan.batch_per_gpu, 4096);
  EXPECT_EQ(plan.embedding_plan, sim::EmbeddingPlan::table_wise);
}

TEST(MappedRecommendation, NodesFollowFromTheMachine) {
  RecommendationMeasurement row = eight_nodes();
  row.n_nodes = row.accel_per_node = std::nullopt;
  row.nic = "";
  row.accelerator = "V100-32GB";
  row.n_accel = 16;
  row.system = "DGX-2 V100";
  EXPECT_EQ(map_recommendation(row).run->scenario.cluster.gpus_per_node, 16);
  row.system = "somewhere";
  EXPECT_EQ(map_recommendation(row).run->scenario.cluster.gpus_per_node, 8);
  row.accelerator = "NVIDIA Blackwell GPU (GB200)";
  row.n_nodes = 2;
  row.accel_per_node = 4;
  row.n_accel = 8;  // two trays of one rack
  EXPECT_EQ(map_recommendation(row).run->scenario.cluster.gpus_per_node, 8);
}

TEST(MappedRecommendation, SaysWhyThereIsNoScenario) {
  struct Case {
    std::function<void(RecommendationMeasurement&)> change;
    const char* reason;
  };
  using Row = RecommendationMeasurement;
  for (const Case& c : std::vector<Case>{
           {[](Row& row) { row.accelerator = "TPU v3"; }, "needs tpu"},
           {[](Row& row) { row.accelerator = "abacus"; },
            "no device of the library stands for \"abacus\""},
           {[](Row& row) { row.accelerator = ""; }, "accelerator is empty"},
           {[](Row& row) { row.model = "HSTU"; },
            "nothing is known of the tables and layers of \"HSTU\""},
           {[](Row& row) { row.n_accel = std::nullopt; }, "n_accel is empty"},
           {[](Row& row) { row.n_accel = std::int64_t{1} << 40; },
            "more GPUs than any machine has"},
           {[](Row& row) { row.global_batch = std::nullopt; }, "global_batch is empty"},
           {[](Row& row) { row.global_batch = 63; }, "global_batch is below n_accel"},
           {[](Row& row) { row = wide_and_deep(), row.vocab = std::nullopt; }, "vocab is empty"},
           {[](Row& row) { row = wide_and_deep(), row.embedding_dim = std::nullopt; },
            "embedding_dim is empty"},
           {[](Row& row) { row = wide_and_deep(), row.vocab = std::int64_t{1} << 60; },
            "more rows than any table has"},
           {[](Row& row) { row = wide_and_deep(), row.mlp_hidden = "8x1024"; },
            "no layers are \"8x1024\""},
           {[](Row& row) { row = wide_and_deep(), row.mlp_hidden = "deep"; },
            "no layers are \"deep\""}}) {
    SCOPED_TRACE(c.reason);
    RecommendationMeasurement row = eight_nodes();
    c.change(row);
    const MappedRun mapped = map_recommendation(row);
    EXPECT_FALSE(mapped.run.has_value());
    EXPECT_EQ(mapped.reason, c.reason);
  }
}

TEST(MappedRecommendation, WideAndDeepHasTheSizesOfItsRow) {
  RecommendationMeasurement row = wide_and_deep();
  row.framework = "OneFlow 0.6.0";
  const MappedRun mapped = map_recommendation(row);
  ASSERT_TRUE(mapped.run) << mapped.reason;
  const scenarios::Scenario& scenario = mapped.run->scenario;
  EXPECT_EQ(model_of(mapped).tables.at(0),
            (sim::TableGroup{.tables = 26, .rows = 100'000, .dim = 32}));
  EXPECT_EQ(model_of(mapped).tables.at(1),
            (sim::TableGroup{.tables = 2, .rows = 1'300'000, .dim = 1}));
  EXPECT_EQ(std::get<sim::Mlp>(model_of(mapped).over).widths,
            (std::vector<std::int64_t>{1024, 1024, 1024, 1024, 1024, 1024, 1024, 1}));
  EXPECT_EQ(scenario.stack_name, "oneflow-recommendation-2021");
  EXPECT_EQ(scenario.baseline.batch_per_gpu, 512);
  EXPECT_EQ(scenario.baseline.dtype, sim::Dtype::fp32);
  EXPECT_EQ(scenario.baseline.embedding_plan, sim::EmbeddingPlan::row_wise);
  EXPECT_EQ(scenario.baseline.embedding_optimizer, sim::Optimizer::adam);
  EXPECT_EQ(scenario.cluster.device.memory, sim::Bytes{15.78 * 1024.0 * 1024.0 * 1024.0});
  // One adapter of 12.5 GB/s for the eight GPUs of a node.
  EXPECT_EQ(scenario.cluster.network.inter_bandwidth, sim::BytesPerSecond{12.5e9 / 8.0});
}

/// Its hash tables are made for as many rows on every GPU.
TEST(MappedRecommendation, TablesOfHugeCtrGrowWithTheGpus) {
  const MappedRun mapped = map_recommendation(wide_and_deep());
  ASSERT_TRUE(mapped.run) << mapped.reason;
  EXPECT_EQ(model_of(mapped).tables.at(0).rows, 32 * 100'000);
  EXPECT_EQ(mapped.run->scenario.stack_name, "hugectr-2020");
  EXPECT_TRUE(mapped.run->scenario.stack.updates_all_rows);
}

TEST(MappedRecommendation, OutOfMemoryIsAVerdict) {
  sim::Workspace workspace;
  const auto status = [&](std::int64_t vocab) {
    RecommendationMeasurement row = wide_and_deep();
    row.vocab = vocab;
    const MappedRun mapped = map_recommendation(row);
    return scenarios::evaluate(mapped.run->scenario, mapped.run->scenario.baseline, workspace)
        .status;
  };
  EXPECT_EQ(status(25'600'000), sim::StepStatus::ok);
  EXPECT_NE(status(51'200'000), sim::StepStatus::ok);
}

RecommendationMeasurement generative() {
  RecommendationMeasurement row;
  row.system = "2 nodes x 8 H100-SXM5-80GB";
  row.accelerator = "H100-SXM5-80GB";
  row.model = "HSTU ranking 8 layers hidden 1024, max seq 4096 jagged Zipf";
  row.interaction = "HSTU attention";
  row.framework = "recsys-examples (TorchRec + Megatron-Core + DynamicEmb)";
  row.precision = "bf16";
  row.n_accel = 16;
  row.accel_per_node = 8;
  row.global_batch = 512;
  return row;
}

TEST(MappedRecommendation, ExperimentsAddUp) {
  struct Case {
    const char* notes;
    const char* stack;
    bool balances;
    sim::EmbeddingKernel kernel;
    sim::Recompute recompute;
    sim::InputPipeline input;
  };
  constexpr auto host = sim::EmbeddingKernel::uvm;
  constexpr auto cached = sim::EmbeddingKernel::uvm_caching;
  constexpr auto none = sim::Recompute::none;
  constexpr auto waits = sim::InputPipeline::none;
  for (const Case& c :
       {Case{"0 Baseline: avg 75.6", "recsys-hstu-triton-2026", false, host, none, waits},
        Case{"1 +Shuffler: avg 115.8", "recsys-hstu-triton-2026", true, host, none, waits},
        Case{"2 +CUTLASS: avg 302.6", "recsys-hstu-2026", true, host, none, waits},
        Case{"3 +Recompute: avg 244.94", "recsys-hstu-2026", true, host, sim::Recompute::layernorm,
             waits},
        Case{"3 +DynamicEmb caching: avg 296.8", "recsys-hstu-2026", true, cached, none, waits},
        Case{"5 +Prefetch pipeline: avg 310.6", "recsys-hstu-2026", true, cached, none,
             sim::InputPipeline::pipelined}}) {
    SCOPED_TRACE(c.notes);
    RecommendationMeasurement row = generative();
    row.notes = c.notes;
    const MappedRun mapped = map_recommendation(row);
    ASSERT_TRUE(mapped.run) << mapped.reason;
    const sim::Plan& plan = mapped.run->scenario.baseline;
    EXPECT_EQ(mapped.run->scenario.stack_name, c.stack);
    EXPECT_EQ(plan.length_balancing, c.balances);
    EXPECT_EQ(plan.embedding_kernel, c.kernel);
    EXPECT_EQ(plan.recompute, c.recompute);
    EXPECT_EQ(plan.input_pipeline, c.input);
  }
  RecommendationMeasurement row = generative();
  row.notes = "4 +TP=2: avg 180.0";
  EXPECT_EQ(map_recommendation(row).reason, "needs tensor_parallel of recommendation models");
}

/// The source's own 63.89 TFLOP a step of one GPU, of histories of one length.
TEST(MappedRecommendation, TimesFollowFromTheWorkThatASourceCounts) {
  RecommendationMeasurement row = generative();
  row.model = "HSTU ranking 8 layers hidden 1024, max seq 4096 fixed length";
  row.tflops_per_gpu = 340.3;
  const MappedRun mapped = map_recommendation(row);
  ASSERT_TRUE(mapped.run) << mapped.reason;
  EXPECT_NEAR(counted_flops(model_of(mapped), 32).value / 63.89e12, 1.0, 1e-3);
  EXPECT_NEAR(*measured_step(row, mapped.run->scenario), 63.89 / 340.3, 2e-4);
  row.samples_per_s = 2738.0;  // goes before it
  EXPECT_DOUBLE_EQ(*measured_step(row, mapped.run->scenario), 512.0 / 2738.0);
  EXPECT_EQ(measured_step(generative(), mapped.run->scenario), std::nullopt);
}

TEST(RecommendationDefaults, StacksAndSettingsExist) {
  const RecommendationDefaults& known = recommendation_defaults();
  const auto check = [](const std::vector<AssumedSetting>& settings) {
    for (const AssumedSetting& entry : settings) {
      const scenarios::Setting* const setting = scenarios::find_setting(entry.name);
      ASSERT_NE(setting, nullptr) << entry.name;
      EXPECT_TRUE(scenarios::parse_setting(*setting, entry.value)) << entry.name << entry.value;
    }
  };
  for (const KnownFramework& framework : known.frameworks) {
    EXPECT_TRUE(library().stacks.contains(framework.stack)) << framework.stack;
    for (const KnownRelease& release : framework.releases) {
      EXPECT_TRUE(library().stacks.contains(release.stack)) << release.stack;
    }
    check(framework.settings);
  }
  for (const KnownPrecision& precision : known.precisions) check(precision.settings);
  EXPECT_EQ(known.frameworks.back().contains, "");  // the last resort
}

TEST(RecommendationDefaults, EveryProblemOfAFileIsReported) {
  try {
    read_recommendation_defaults(R"({
      "schema": "cubicbench.measured_recommendation/1",
      "tables": [{"contains": "m", "groups": [{"tables": 0, "rows": 1, "dim": 1, "pooling": 1}],
                  "why": "w"}],
      "archs": [{"contains": "m", "dense": {"inputs": 1, "layers": 1, "width": 1, "ffn_hidden": 1},
                 "over": {"layers": 1, "width": 1}, "why": "w"}],
      "frameworks": [{"contains": "", "stack": "",
                      "releases": [{"contains": "1", "round": "2", "stack": "s", "why": "w"}],
                      "settings": [{"name": "dtype", "value": "fp32", "why": "w", "device": "d",
                                    "accelerators_min": -1}], "why": "w"}],
      "precisions": [{"contains": "p", "settings": [{"name": "dtype", "value": "fp32"}]}]
    })",
                                 "r.json");
    FAIL() << "expected bad input";
  } catch (const support::InputError& error) {
    EXPECT_EQ(std::string(error.what()),
              "r.json#/tables/0/groups/0/tables: expected an integer in [1, 1000000], got 0\n"
              "r.json#/archs/0/over/ffn_hidden: expected an integer in [1, 16777216], got "
              "nothing\n"
              "r.json#/frameworks/0/stack: expected a text, got \"\"\n"
              "r.json#/frameworks/0/releases/0/contains: expected one of contains, round and "
              "notes\n"
              "r.json#/frameworks/0/settings/0/device: expected a device of the library, got "
              "\"d\"\n"
              "r.json#/frameworks/0/settings/0/accelerators_min: expected an integer in [0, "
              "1048576], got -1\n"
              "r.json#/precisions/0/settings/0/why: expected a string, got nothing");
  }
}

}  // namespace
}  // namespace cubicbench::datasets
