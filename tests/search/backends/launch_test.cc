#include "search/backends/launch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "scenarios/readers/scenario_reader.h"

namespace cubicbench::search {
namespace {

using scenarios::Scenario;
using sim::Dtype;
using sim::Optimizer;
using sim::Plan;
using sim::Recompute;
using sim::Schedule;
using sim::Sharding;

constexpr const char* absent = "(absent)";

/// What follows `option`: a value, "" where another option or the end does, or `absent`.
std::string value_of(const std::vector<std::string>& list, std::string_view option) {
  const auto found = std::find(list.begin(), list.end(), option);
  if (found == list.end()) return absent;
  const auto next = found + 1;
  return next == list.end() || next->starts_with("--") ? "" : *next;
}

/// 16 GPUs on two nodes, 16 layers.
const Scenario& tiny() {
  static const Scenario scenario = [] {
    const std::vector<std::string> sets{"cluster.gpus=16"};
    return scenarios::read_scenario("tiny-llama", sets);
  }();
  return scenario;
}

Plan plain() {
  Plan plan = tiny().settings;
  plan.micro_batch = 2;
  plan.sharding = Sharding::full_shard;
  return plan;
}

std::string titan(const Plan& plan, std::string_view option) {
  return value_of(launch_options(tiny(), plan).torchtitan, option);
}

std::string megatron(const Plan& plan, std::string_view option) {
  return value_of(launch_options(tiny(), plan).megatron, option);
}

TEST(Launch, SaysAllOfAPlainPlan) {
  const LaunchOptions options = launch_options(tiny(), plain());
  const std::vector<std::string> torchtitan{"--parallelism.tensor_parallel_degree",
                                            "1",
                                            "--parallelism.no_enable_async_tensor_parallel",
                                            "--parallelism.pipeline_parallel_degree",
                                            "1",
                                            "--parallelism.context_parallel_degree",
                                            "1",
                                            "--parallelism.expert_parallel_degree",
                                            "1",
                                            "--parallelism.data_parallel_replicate_degree",
                                            "1",
                                            "--parallelism.data_parallel_shard_degree",
                                            "16",
                                            "--parallelism.fsdp_reshard_after_forward",
                                            "always",
                                            "--training.global_batch_size",
                                            "64",
                                            "--training.local_batch_size",
                                            "2",
                                            "--training.mixed_precision_param",
                                            "bfloat16",
                                            "--training.mixed_precision_reduce",
                                            "float32",
                                            "--optimizer.name",
                                            "AdamW",
                                            "--activation_checkpoint.mode",
                                            "none",
                                            "--compile.no_enable"};
  EXPECT_EQ(options.torchtitan, torchtitan);
  const std::vector<std::string> megatron_list{"--tensor-model-parallel-size",
                                               "1",
                                               "--pipeline-model-parallel-size",
                                               "1",
                                               "--context-parallel-size",
                                               "1",
                                               "--expert-model-parallel-size",
                                               "1",
                                               "--use-distributed-optimizer",
                                               "--use-megatron-fsdp",
                                               "--data-parallel-sharding-strategy",
                                               "optim_grads_params",
                                               "--micro-batch-size",
                                               "2",
                                               "--global-batch-size",
                                               "64",
                                               "--bf16",
                                               "--accumulate-allreduce-grads-in-fp32",
                                               "--optimizer",
                                               "adam"};
  EXPECT_EQ(options.megatron, megatron_list);
  const std::vector<std::string> torchrun{"--nnodes", "2", "--nproc-per-node", "8"};
  EXPECT_EQ(options.torchrun, torchrun);
}

TEST(Launch, DividesTheRanksAsThePlanDoes) {
  constexpr const char* replicate = "--parallelism.data_parallel_replicate_degree";
  constexpr const char* shard = "--parallelism.data_parallel_shard_degree";
  constexpr const char* reshard = "--parallelism.fsdp_reshard_after_forward";
  constexpr const char* copies = "--num-distributed-optimizer-instances";
  constexpr const char* strategy = "--data-parallel-sharding-strategy";
  struct Case {
    const char* name;
    Sharding sharding;
    std::int64_t tensor;
    std::int64_t context;
    std::int64_t group;
    std::int64_t keep;  ///< reshard_after_forward
    const char* replicate;
    const char* shard;
    const char* reshard;
    const char* copies;
    const char* strategy;
  };
  for (const Case& c : {
           Case{"all replicated", Sharding::no_shard, 2, 1, 0, 1, "8", "1", absent, absent, absent},
           Case{"torchtitan has no ZeRO-1", Sharding::zero1, 2, 1, 0, 1, absent, absent, absent,
                absent, absent},
           Case{"2 copies of the optimizer", Sharding::zero1_hybrid, 2, 1, 4, 1, absent, absent,
                absent, "2", absent},
           Case{"all sharded", Sharding::full_shard, 2, 1, 0, 1, "1", "8", "always", absent,
                "optim_grads_params"},
           Case{"kept after forward", Sharding::full_shard, 2, 1, 0, 0, "1", "8", "never", absent,
                "optim_grads_params"},
           Case{"kept in part", Sharding::full_shard, 2, 1, 0, 4, "1", "8", absent, absent,
                "optim_grads_params"},
           Case{"gathered once", Sharding::shard_grad_op, 2, 1, 0, 1, "1", "8", "never", absent,
                absent},
           // A node of 8 GPUs holds 4 of the ranks that are 2 apart.
           Case{"sharded in a node", Sharding::hybrid_shard, 2, 1, 0, 1, "2", "4", "always", "2",
                "optim_grads_params"},
           Case{"sharded in pairs", Sharding::hybrid_shard, 2, 1, 2, 1, "4", "2", "always", "4",
                "optim_grads_params"},
           // 16 ranks hold equal weights, 2 of them share a sequence: 4 copies x (2 x 2).
           Case{"context ranks shard too", Sharding::hybrid_shard, 1, 2, 4, 1, "4", "2", "always",
                "4", "optim_grads_params"},
       }) {
    SCOPED_TRACE(c.name);
    Plan plan = plain();
    plan.sharding = c.sharding;
    plan.tensor_parallel = c.tensor;
    plan.context_parallel = c.context;
    plan.shard_group = c.group;
    plan.reshard_after_forward = c.keep;
    EXPECT_EQ(titan(plan, replicate), c.replicate);
    EXPECT_EQ(titan(plan, shard), c.shard);
    EXPECT_EQ(titan(plan, reshard), c.reshard);
    EXPECT_EQ(megatron(plan, copies), c.copies);
    EXPECT_EQ(megatron(plan, strategy), c.strategy);
  }
}

TEST(Launch, SaysNothingOfRanksThatDoNotDivide) {
  Plan plan = plain();
  plan.tensor_parallel = 3;  // 16 GPUs
  EXPECT_EQ(titan(plan, "--parallelism.tensor_parallel_degree"), "3");
  EXPECT_EQ(titan(plan, "--parallelism.data_parallel_shard_degree"), absent);
  EXPECT_EQ(megatron(plan, "--tensor-model-parallel-size"), "3");
}

TEST(Launch, TellsThePipeline) {
  Plan plan = plain();
  plan.pipeline_parallel = 4;  // x 4 data-parallel ranks
  plan.schedule = Schedule::one_f_one_b;
  EXPECT_EQ(titan(plan, "--parallelism.pipeline_parallel_degree"), "4");
  EXPECT_EQ(titan(plan, "--parallelism.pipeline_parallel_schedule"), "1F1B");
  EXPECT_EQ(titan(plan, "--parallelism.pipeline_parallel_microbatch_size"), "2");
  EXPECT_EQ(titan(plan, "--training.local_batch_size"), "16") << "64 sequences by 4 ranks";
  EXPECT_EQ(titan(plan, "--parallelism.pipeline_parallel_layers_per_stage"), absent);
  EXPECT_EQ(megatron(plan, "--pipeline-model-parallel-size"), "4");
  EXPECT_EQ(megatron(plan, "--num-virtual-stages-per-pipeline-rank"), absent);

  plan.schedule = Schedule::interleaved;
  plan.virtual_stages = 2;  // 16 layers in 8 chunks of 2
  EXPECT_EQ(titan(plan, "--parallelism.pipeline_parallel_schedule"), "Interleaved1F1B");
  EXPECT_EQ(titan(plan, "--parallelism.pipeline_parallel_layers_per_stage"), "2");
  EXPECT_EQ(titan(plan, "--parallelism.pipeline_parallel_first_stage_less_layers"), "0");
  EXPECT_EQ(megatron(plan, "--num-virtual-stages-per-pipeline-rank"), "2");

  plan.pipeline_parallel = 2;
  plan.virtual_stages = 3;  // 16 + 2 layers in 6 chunks of 3: 2, 3, 3, 3, 3, 2
  EXPECT_EQ(titan(plan, "--parallelism.pipeline_parallel_layers_per_stage"), "3");
  EXPECT_EQ(titan(plan, "--parallelism.pipeline_parallel_first_stage_less_layers"), "1");
  EXPECT_EQ(titan(plan, "--parallelism.pipeline_parallel_last_stage_less_layers"), "1");

  plan.virtual_stages = 5;  // neither 16 nor 18 layers in 10 chunks
  EXPECT_EQ(titan(plan, "--parallelism.pipeline_parallel_layers_per_stage"), absent);

  plan.schedule = Schedule::v_half;
  EXPECT_EQ(titan(plan, "--parallelism.pipeline_parallel_schedule"), absent) << "it has none";
}

TEST(Launch, TellsRecomputation) {
  constexpr const char* mode = "--activation_checkpoint.mode";
  constexpr const char* option = "--activation_checkpoint.selective_ac_option";
  constexpr const char* granularity = "--recompute-granularity";
  struct Case {
    Recompute recompute;
    const char* mode;
    const char* option;
    const char* granularity;
  };
  for (const Case& c : {Case{Recompute::none, "none", absent, absent},
                        Case{Recompute::selective, absent, absent, "selective"},
                        Case{Recompute::per_op, "selective", "op", absent},
                        Case{Recompute::full, "full", absent, "full"},
                        Case{Recompute::every_k, "selective", "3", absent}}) {
    Plan plan = plain();
    plan.recompute = c.recompute;
    plan.recompute_every = 3;
    SCOPED_TRACE(static_cast<int>(c.recompute));
    EXPECT_EQ(titan(plan, mode), c.mode);
    EXPECT_EQ(titan(plan, option), c.option);
    EXPECT_EQ(megatron(plan, granularity), c.granularity);
  }
}

TEST(Launch, TellsModulesThatAreRecomputed) {
  Plan plan = plain();
  for (const auto& [recompute, name] :
       {std::pair{Recompute::layernorm, "layernorm"}, std::pair{Recompute::moe_act, "moe_act"},
        std::pair{Recompute::mlp, "mlp"}}) {
    plan.recompute = recompute;
    EXPECT_EQ(megatron(plan, "--recompute-granularity"), "selective");
    EXPECT_EQ(megatron(plan, "--recompute-modules"), name);
    EXPECT_EQ(titan(plan, "--activation_checkpoint.mode"), absent);
  }
}

// Whole matrices on every rank: Megatron-LM shards none of Muon's state by ranges.
TEST(Launch, TellsMuonOfReplicas) {
  Plan plan = plain();
  plan.optimizer = Optimizer::muon;
  plan.sharding = Sharding::no_shard;
  EXPECT_EQ(megatron(plan, "--optimizer"), "muon");
  EXPECT_EQ(megatron(plan, "--muon-tp-mode"), "duplicated");
  EXPECT_EQ(titan(plan, "--optimizer.name"), absent);
  plan.sharding = Sharding::zero1;
  EXPECT_EQ(megatron(plan, "--optimizer"), absent);
  plan.optimizer = Optimizer::adam_8bit;
  EXPECT_EQ(megatron(plan, "--optimizer"), absent);
}

TEST(Launch, TellsPrecisions) {
  constexpr const char* converters = "--model.converters";
  struct Case {
    Dtype dtype;
    const char* converters;
    const char* flag;    ///< of Megatron-LM, "" for none
    const char* format;  ///< of fp8
  };
  for (const Case& c :
       {Case{Dtype::bf16, absent, "--bf16", absent}, Case{Dtype::fp16, absent, "--fp16", absent},
        Case{Dtype::fp8, "quantize.linear.float8", "--bf16", "hybrid"},
        Case{Dtype::mxfp8, "quantize.linear.mx", "--bf16", "e4m3"},
        Case{Dtype::nvfp4, absent, "--bf16", absent}}) {
    Plan plan = plain();
    plan.dtype = c.dtype;
    SCOPED_TRACE(static_cast<int>(c.dtype));
    EXPECT_EQ(titan(plan, converters), c.converters);
    EXPECT_EQ(megatron(plan, c.flag), "");
    EXPECT_EQ(megatron(plan, "--fp8-format"), c.format);
  }
  Plan plan = plain();
  plan.dtype = Dtype::fp32;
  plan.param_dtype = Dtype::fp32;
  plan.reduce_dtype = Dtype::bf16;
  EXPECT_EQ(titan(plan, "--training.mixed_precision_param"), "float32");
  EXPECT_EQ(titan(plan, "--training.mixed_precision_reduce"), absent);
  EXPECT_EQ(megatron(plan, "--bf16"), absent);
  EXPECT_EQ(megatron(plan, "--grad-reduce-in-bf16"), "");
}

TEST(Launch, TellsSwitches) {
  Plan plan = plain();
  plan.tensor_parallel = 2;
  plan.sequence_parallel = true;
  plan.async_tensor_parallel = true;
  plan.compile = true;
  plan.offload = sim::Offload::optimizer;
  plan.optimizer = sim::Optimizer::sgd;
  EXPECT_EQ(titan(plan, "--parallelism.enable_async_tensor_parallel"), "");
  EXPECT_EQ(titan(plan, "--compile.enable"), "");
  EXPECT_EQ(titan(plan, "--optimizer.name"), absent);
  EXPECT_EQ(megatron(plan, "--sequence-parallel"), "");
  EXPECT_EQ(megatron(plan, "--tp-comm-overlap"), "");
  EXPECT_EQ(megatron(plan, "--optimizer-cpu-offload"), "");
  EXPECT_EQ(megatron(plan, "--optimizer"), "sgd");
  plan.sharding = Sharding::shard_grad_op;
  EXPECT_EQ(megatron(plan, "--torch-fsdp2-no-reshard-after-forward"), "");
  plan.pipeline_parallel = 2;
  EXPECT_EQ(megatron(plan, "--use-torch-fsdp2"), absent) << "not with a pipeline";
}

TEST(Launch, TakesAsManyNodesAsThePlanSays) {
  const Scenario scenario = scenarios::read_scenario(std::string(CUBICBENCH_SOURCE_DIR) +
                                                     "/tests/scenarios/cost-7b.json");
  Plan plan = scenario.baseline;
  plan.sharding = Sharding::hybrid_shard;
  plan.tensor_parallel = 4;
  for (const auto& [gpus, nodes, replicas] :
       {std::tuple{0, "32", "32"}, std::tuple{96, "12", "12"}, std::tuple{32, "4", "4"}}) {
    plan.gpus = gpus;  // two data-parallel ranks share a node of 8
    const LaunchOptions options = launch_options(scenario, plan);
    EXPECT_EQ(value_of(options.torchrun, "--nnodes"), nodes);
    EXPECT_EQ(value_of(options.torchtitan, "--parallelism.data_parallel_replicate_degree"),
              replicas);
  }
}

TEST(Launch, TellsHowExpertsAreSharedAndReached) {
  const Scenario scenario = scenarios::read_scenario(std::string(CUBICBENCH_SOURCE_DIR) +
                                                     "/tests/scenarios/tiny-moe.json");
  Plan plan = scenario.settings;
  plan.tensor_parallel = 2;
  plan.expert_parallel = 4;
  struct Case {
    sim::ExpertDispatch dispatch;
    const char* titan;
    const char* megatron;
    const char* flex;
  };
  for (const Case& c : {Case{sim::ExpertDispatch::all_to_all, "standard", "alltoall", absent},
                        Case{sim::ExpertDispatch::hierarchical, absent, absent, absent},
                        Case{sim::ExpertDispatch::deepep, "deepep", "flex", "deepep"},
                        Case{sim::ExpertDispatch::all_gather, absent, "allgather", absent}}) {
    plan.expert_dispatch = c.dispatch;
    const LaunchOptions options = launch_options(scenario, plan);
    EXPECT_EQ(value_of(options.torchtitan, "--parallelism.expert_parallel_comm_backend"), c.titan);
    EXPECT_EQ(value_of(options.megatron, "--moe-token-dispatcher-type"), c.megatron);
    EXPECT_EQ(value_of(options.megatron, "--moe-flex-dispatcher-backend"), c.flex);
  }
  const std::string_view titan_shares = "--parallelism.expert_tensor_parallel_degree";
  for (const auto& [shares, told] : {std::pair{1, "1"}, std::pair{2, "2"}, std::pair{4, absent}}) {
    plan.expert_tensor_parallel = shares;
    const LaunchOptions options = launch_options(scenario, plan);
    EXPECT_EQ(value_of(options.torchtitan, titan_shares), told);
    EXPECT_EQ(value_of(options.megatron, "--expert-tensor-parallel-size"), std::to_string(shares));
  }
  const std::string_view overlap = "--overlap-moe-expert-parallel-comm";
  EXPECT_EQ(value_of(launch_options(scenario, plan).megatron, overlap), absent);
  plan.expert_overlap = true;
  EXPECT_EQ(value_of(launch_options(scenario, plan).megatron, overlap), "");
  plan.recompute = Recompute::full;
  EXPECT_EQ(value_of(launch_options(scenario, plan).megatron, overlap), absent);
  plan.pipeline_parallel = 2;
  plan.schedule = Schedule::dualpipev;
  EXPECT_EQ(value_of(launch_options(scenario, plan).torchtitan,
                     "--parallelism.pipeline_parallel_expert_parallel_overlap"),
            "");
  EXPECT_EQ(megatron(plan, "--expert-tensor-parallel-size"), absent);  // of a model without experts
}

TEST(Launch, OffloadsWhatMegatronCan) {
  struct Case {
    sim::Offload offload;
    const char* flag;
  };
  for (const Case& c : {Case{sim::Offload::none, absent}, Case{sim::Offload::optimizer, ""},
                        Case{sim::Offload::activations, absent}, Case{sim::Offload::both, ""}}) {
    Plan plan = plain();
    plan.offload = c.offload;
    EXPECT_EQ(megatron(plan, "--optimizer-cpu-offload"), c.flag);
    EXPECT_EQ(megatron(plan, "--use-precision-aware-optimizer"), c.flag);
  }
}

TEST(Launch, StartsOneNodeInPart) {
  const std::vector<std::string> sets{"cluster.gpus=4"};
  const Scenario four = scenarios::read_scenario("tiny-llama", sets);
  Plan plan = four.settings;
  const std::vector<std::string> expected{"--nnodes", "1", "--nproc-per-node", "4"};
  EXPECT_EQ(launch_options(four, plan).torchrun, expected);
}

}  // namespace
}  // namespace cubicbench::search
