#include "search/launch/program_call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "scenarios/readers/scenario_reader.h"
#include "search/launch/setting_effects.h"
#include "sim/plan/plan_cluster.h"
#include "sim/plan/validity.h"
#include "support/input_error.h"

namespace cubicbench::search {
namespace {

using scenarios::Scenario;
using scenarios::Setting;
using scenarios::SettingKind;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

Scenario scenario_of(const std::string& name, const std::vector<std::string>& sets) {
  return scenarios::read_scenario(name, sets);
}

ProgramCall call_of(const std::string& launcher, const std::string& name,
                    const std::vector<std::string>& sets, const std::string& model = "") {
  const Scenario scenario = scenario_of(name, sets);
  return program_call(find_launcher(launcher, "--for"), scenario, scenario.baseline, model,
                      "--for");
}

std::string why_not(const ProgramCall& call, std::string_view setting) {
  for (const OmittedSetting& one : call.omitted) {
    if (one.setting->name == setting) return one.why;
  }
  return "";
}

/// What is said of a plan, in whatever place.
std::string all_of(const ProgramCall& call) {
  std::string text = call.file_text;
  for (const std::string& word : call.command) text += word + "\n";
  for (const OmittedSetting& one : call.omitted) {
    text += std::string(one.setting->name) + " " + one.value + " " + one.why + "\n";
  }
  return text;
}

TEST(ProgramCall, OfTorchtitanIsOneCommand) {
  const ProgramCall call =
      call_of("torchtitan@0.2.2", "tiny-llama", {"cluster.gpus=16", "wrap=2"}, "mine.toml");
  const std::vector<std::string> begin(call.command.begin(), call.command.begin() + 13);
  const std::vector<std::string> expected{"torchrun",
                                          "--nnodes",
                                          "2",
                                          "--nproc-per-node",
                                          "8",
                                          "-m",
                                          "torchtitan.train",
                                          "--job.config_file",
                                          "mine.toml",
                                          "--training.seq_len",
                                          "4096",
                                          "--parallelism.tensor_parallel_degree",
                                          "1"};
  EXPECT_EQ(begin, expected);
  EXPECT_EQ(call.file_text, "");
  EXPECT_EQ(why_not(call, "wrap"), "each layer is an FSDP unit");
  EXPECT_EQ(call.omitted.size(), 1U) << all_of(call);
  const std::vector<std::string> dry(call.dry_run.begin(), call.dry_run.begin() + 4);
  EXPECT_EQ(dry, (std::vector<std::string>{"env", "NGPU=16", "LOCAL_RANK=0", "python3"}));
  EXPECT_EQ(call.dry_run.back(), "--training.steps=1");
}

TEST(ProgramCall, OfTorchtitanMainIsAConfigurationInPython) {
  const ProgramCall call =
      call_of("torchtitan@main", "tiny-llama",
              {"cluster.gpus=16", "pipeline_parallel=2", "micro_batch=2", "recompute=per_op"});
  // 64 sequences of 4096 tokens on 8 data-parallel ranks: 8 each, 4 micro-batches of 2.
  EXPECT_EQ(call.file_name, "cubicbench_plan.py");
  for (const char* line :
       {"    config.training.max_context_length = 4096\n",
        "    config.training.num_tokens_per_train_step = 262144\n",
        "    config.training.num_tokens_per_microbatch_per_dp_rank = 8192\n",
        "    config.parallelism.num_pp_microbatches = 4\n",
        "    config.training.disable_cuda_graphs = True\n",
        "    config.activation_checkpoint = SelectiveAC.Config()\n", "    return config\n"}) {
    EXPECT_THAT(call.file_text, HasSubstr(line));
  }
  EXPECT_THAT(call.command, Contains("cubicbench_plan"));
  EXPECT_THAT(call.command, Not(Contains(HasSubstr("parallelism"))));
}

TEST(ProgramCall, OfMegatronBridgeOverridesARecipe) {
  const ProgramCall call =
      call_of("megatron-bridge@0.6.0", "tiny-llama", {"tensor_parallel=2"}, "my_recipe");
  EXPECT_THAT(call.command, Contains("my_recipe"));
  EXPECT_THAT(call.command, Contains("model.tensor_model_parallel_size=2"));
  EXPECT_THAT(call.command, Contains("model.sequence_parallel=false"));
  EXPECT_THAT(call.command, Contains("ddp.data_parallel_sharding_strategy=optim_grads_params"));
}

TEST(ProgramCall, OfFsdp2GroupsKeywordsByWhatTakesThem) {
  const ProgramCall call =
      call_of("torchrun-fsdp2@2", "tiny-llama", {"cluster.gpus=16", "sharding=hybrid_shard"});
  EXPECT_THAT(call.file_text, HasSubstr("init_device_mesh = dict(mesh_shape=(2, 8), "
                                        "mesh_dim_names=(\"replicate\", \"shard\"))\n"));
  EXPECT_THAT(call.file_text, HasSubstr("fully_shard = dict(reshard_after_forward=True)\n"));
  EXPECT_THAT(call.file_text, HasSubstr("MixedPrecisionPolicy = dict(param_dtype=torch.bfloat16, "
                                        "reduce_dtype=torch.float32)\n"));
  EXPECT_THAT(call.file_text, HasSubstr("omitted = dict(global_batch=64, micro_batch=4, "
                                        "optimizer=\"adamw\")\n"));
}

TEST(ProgramCall, OfTorchRecConstrainsThePlanner) {
  const ProgramCall call = call_of("torchrec@1.3.0", "dlrm-criteo",
                                   {"embedding_plan=row_wise", "embedding_kernel=uvm_caching",
                                    "embedding_cache_ratio=0.25", "forward_comm_dtype=fp16"});
  EXPECT_THAT(call.file_text,
              HasSubstr("ParameterConstraints = dict(sharding_types=[\"row_wise\"], "
                        "compute_kernels=[\"fused_uvm_caching\"])\n"));
  EXPECT_THAT(call.file_text, HasSubstr("CacheParams = dict(load_factor=0.25)\n"));
  EXPECT_THAT(call.file_text, HasSubstr("forward_precision=CommType.FP16"));
}

TEST(ProgramCall, EmitsOnlyWhatTheProgramAccepts) {
  const ProgramCall titan = call_of("torchtitan@0.2.2", "tiny-llama", {"reduce_dtype=bf16"});
  EXPECT_EQ(why_not(titan, "reduce_dtype"), "mixed_precision_reduce accepts float32 only");
  EXPECT_THAT(titan.command, Not(Contains("--training.mixed_precision_reduce")));

  // 126 layers do not divide among 16 stages; with the embedding and the loss they are 128.
  const ProgramCall megatron = call_of("megatron-lm@0.19", "llama3-405b", {});
  EXPECT_THAT(megatron.command, Contains("--account-for-embedding-in-pipeline-split"));
  EXPECT_THAT(megatron.command, Contains("--account-for-loss-in-pipeline-split"));

  const ProgramCall twice = call_of("megatron-lm@0.19", "tiny-llama", {"offload=both"});
  EXPECT_THAT(twice.command, Contains("--optimizer-cpu-offload"));
  EXPECT_THAT(why_not(twice, "offload"), HasSubstr("only the optimizer's state is"));
}

TEST(ProgramCall, RefusesAModelThatTheProgramDoesNotTrain) {
  try {
    call_of("torchtitan@0.2.2", "ads-73b", {});
    FAIL() << "torchtitan trains no recommendation models";
  } catch (const support::InputError& error) {
    EXPECT_STREQ(error.what(),
                 "--for: expected a program that trains a recommendation model, got "
                 "\"torchtitan@0.2.2\"");
  }
}

/// A plan in which every setting of its kind matters, so that no value may look like another.
struct Sensitive {
  std::string scenario;
  std::vector<std::string> sets;
};
const std::vector<Sensitive>& sensitive() {
  static const std::vector<Sensitive> all{
      {"mixtral-8x7b",
       {"cluster.gpus=64", "tensor_parallel=2", "sequence_parallel=true", "pipeline_parallel=2",
        "schedule=interleaved", "virtual_stages=2", "expert_parallel=2", "expert_storage=ssd",
        "expert_cache_ratio=0.5", "global_batch=256", "micro_batch=2", "sharding=hybrid_shard",
        "shard_group=4", "compile=true", "recompute=none"}},
      {"ads-73b",
       {"embedding_plan=two_d", "embedding_groups=4", "embedding_kernel=uvm_caching",
        "embedding_cache_ratio=0.3", "input_pipeline=pipelined", "dense_sharding=hybrid_shard",
        "sequence_sharding=full_shard"}}};
  return all;
}

/// Values to tell apart: all that have a name, else some numbers.
std::vector<std::int64_t> values_of(const Setting& setting) {
  std::vector<std::int64_t> codes;
  const bool is_named = setting.kind == SettingKind::choice || setting.kind == SettingKind::boolean;
  for (std::int64_t code = setting.min; code <= setting.max;
       code = is_named ? code + 1 : 2 * code + (code == 0)) {
    codes.push_back(code);
    if (codes.size() == 10) break;
  }
  return codes;
}

/// Numbers must fit together; names that this machine does not have, and orders without enough
/// micro-batches, can still be asked for.
bool can_be(const Scenario& scenario, const Setting& setting, const sim::Plan& plan) {
  if (setting.kind != SettingKind::integer) return true;
  const sim::Cluster cluster = sim::cluster_of(plan, scenario.cluster);
  return !sim::check(plan, scenario.workload, cluster);
}

TEST(ProgramCall, DropsNothingSilently) {
  std::size_t told_apart = 0;
  for (const Sensitive& base : sensitive()) {
    const Scenario scenario = scenario_of(base.scenario, base.sets);
    for (const Launcher& launcher : launchers()) {
      if (!launcher.trains(scenario.space.facts().kind)) continue;
      for (const Setting& setting : scenarios::settings()) {
        std::set<std::string> said;
        std::size_t plans = 0;
        for (const std::int64_t code : values_of(setting)) {
          sim::Plan plan = scenario.baseline;
          setting.apply(plan, code);
          if (!has_effect(setting, PlanFacts(scenario, plan))) continue;
          if (!can_be(scenario, setting, plan)) continue;
          said.insert(all_of(program_call(launcher, scenario, plan, "", "--for")));
          ++plans;
        }
        EXPECT_EQ(said.size(), plans) << launcher.name() << " " << setting.name;
        told_apart += said.size();
      }
    }
  }
  EXPECT_GT(told_apart, 700U);
}

}  // namespace
}  // namespace cubicbench::search
