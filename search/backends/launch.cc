#include "search/backends/launch.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "sim/plan/device_mesh.h"
#include "sim/plan/plan_cluster.h"
#include "sim/plan/validity.h"

namespace cubicbench::search {
namespace {

using sim::Dtype;
using sim::ExpertDispatch;
using sim::Optimizer;
using sim::Plan;
using sim::Recompute;
using sim::Schedule;
using sim::Sharding;

/// The sizes that follow from a plan and its cluster.
struct Sizes {
  std::int64_t data = 0;       ///< data-parallel ranks; 0 where the GPUs do not divide
  std::int64_t replicate = 1;  ///< copies of the sharded state
};

Sizes sizes_of(const Plan& plan, const sim::Cluster& cluster) {
  const std::int64_t model = plan.tensor_parallel * plan.pipeline_parallel * plan.context_parallel;
  Sizes sizes;
  if (cluster.gpus % model == 0) sizes.data = sim::data_parallel(plan, cluster);
  if (sizes.data > 0) sizes.replicate = sim::device_mesh(plan, cluster).weights.replicate.ranks;
  return sizes;
}

bool has_experts(const scenarios::SpaceFacts& facts) {
  return facts.kind == scenarios::WorkloadKind::mixture_of_experts;
}

/// Arguments in the making.
struct Arguments {
  std::vector<std::string> list;

  void flag(std::string_view name) { list.emplace_back(name); }
  void add(std::string_view name, std::string_view value) {
    list.emplace_back(name);
    list.emplace_back(value);
  }
  void add(std::string_view name, std::int64_t value) { add(name, std::to_string(value)); }
};

// ---- torchtitan -------------------------------------------------------------------------------

/// An option's `field` in `--section.field`, on or off.
void titan_switch(Arguments& out, const std::string& section, const std::string& field, bool on) {
  out.flag("--" + section + "." + (on ? "" : "no_") + field);
}

/// FSDP shards over the context-parallel ranks as well, but its degree does not count them.
void titan_data_parallel(Arguments& out, const Plan& plan, const Sizes& sizes) {
  const std::string_view shard = "--parallelism.data_parallel_shard_degree";
  const std::string_view replicate = "--parallelism.data_parallel_replicate_degree";
  if (sizes.data == 0) return;
  if (plan.sharding == Sharding::no_shard) {
    out.add(replicate, sizes.data);
    out.add(shard, 1);
  } else if (traits(plan.sharding).shards_parameters && sizes.data % sizes.replicate == 0) {
    out.add(replicate, sizes.replicate);
    out.add(shard, sizes.data / sizes.replicate);
  }
}

void titan_reshard(Arguments& out, const Plan& plan) {
  const sim::ShardingTraits sharding = sim::traits(plan.sharding);
  if (!sharding.shards_parameters || plan.reshard_after_forward > 1) return;
  const bool always = sharding.reshards && plan.reshard_after_forward == 1;
  out.add("--parallelism.fsdp_reshard_after_forward", always ? "always" : "never");
}

/// What it calls the schedules that it has.
struct TitanSchedule {
  Schedule schedule;
  std::string_view name;
};
constexpr std::array titan_schedules{TitanSchedule{Schedule::gpipe, "GPipe"},
                                     TitanSchedule{Schedule::one_f_one_b, "1F1B"},
                                     TitanSchedule{Schedule::interleaved, "Interleaved1F1B"},
                                     TitanSchedule{Schedule::zb_v, "ZBVZeroBubble"},
                                     TitanSchedule{Schedule::dualpipev, "DualPipeV"}};

/// Chunks of equally many layers; or, as in Llama 3, of equally many but for one layer less on the
/// first and the last.
void titan_chunks(Arguments& out, const Plan& plan, std::int64_t layers) {
  const std::int64_t chunks = plan.pipeline_parallel * plan.virtual_stages;
  for (const std::int64_t less : {0, 1}) {
    if ((layers + 2 * less) % chunks == 0) {
      out.add("--parallelism.pipeline_parallel_first_stage_less_layers", less);
      out.add("--parallelism.pipeline_parallel_last_stage_less_layers", less);
      out.add("--parallelism.pipeline_parallel_layers_per_stage", (layers + 2 * less) / chunks);
      return;
    }
  }
}

void titan_pipeline(Arguments& out, const Plan& plan, std::int64_t layers) {
  out.add("--parallelism.pipeline_parallel_degree", plan.pipeline_parallel);
  if (plan.pipeline_parallel == 1) return;
  const auto own = std::ranges::find(titan_schedules, plan.schedule, &TitanSchedule::schedule);
  if (own != titan_schedules.end()) {
    out.add("--parallelism.pipeline_parallel_schedule", own->name);
  }
  if (plan.schedule == Schedule::interleaved) titan_chunks(out, plan, layers);
}

/// Without a pipeline a micro-batch is what a rank runs between two accumulations; with one, it is
/// what goes through the pipeline, all of the rank's share of the step at a time.
void titan_batch(Arguments& out, const Plan& plan, const Sizes& sizes) {
  out.add("--training.global_batch_size", plan.global_batch);
  if (plan.pipeline_parallel == 1) {
    out.add("--training.local_batch_size", plan.micro_batch);
    return;
  }
  out.add("--parallelism.pipeline_parallel_microbatch_size", plan.micro_batch);
  if (sizes.data > 0 && plan.global_batch % sizes.data == 0) {
    out.add("--training.local_batch_size", plan.global_batch / sizes.data);
  }
}

void titan_precision(Arguments& out, const Plan& plan) {
  if (plan.param_dtype == Dtype::bf16 || plan.param_dtype == Dtype::fp32) {
    out.add("--training.mixed_precision_param",
            plan.param_dtype == Dtype::bf16 ? "bfloat16" : "float32");
  }
  if (plan.reduce_dtype == Dtype::fp32) out.add("--training.mixed_precision_reduce", "float32");
  if (plan.dtype == Dtype::fp8) {
    out.add("--model.converters", "quantize.linear.float8");
  } else if (plan.dtype == Dtype::mxfp8) {
    out.add("--model.converters", "quantize.linear.mx");
  }
}

/// It has no mode that recomputes attention alone.
void titan_recompute(Arguments& out, const Plan& plan) {
  const std::string_view mode = "--activation_checkpoint.mode";
  const std::string_view option = "--activation_checkpoint.selective_ac_option";
  const bool per_op = plan.recompute == Recompute::per_op;
  const bool every_k = plan.recompute == Recompute::every_k;
  if (plan.recompute == Recompute::none) out.add(mode, "none");
  if (plan.recompute == Recompute::full) out.add(mode, "full");
  if (per_op || every_k) out.add(mode, "selective");
  if (per_op) out.add(option, "op");
  if (every_k) out.add(option, plan.recompute_every);
}

/// Experts are cut as everything else is, or not at all; copies in host memory it lacks, and which
/// way tokens take follows from its library.
void titan_experts(Arguments& out, const Plan& plan) {
  if (plan.expert_tensor_parallel == 1 || plan.expert_tensor_parallel == plan.tensor_parallel) {
    out.add("--parallelism.expert_tensor_parallel_degree", plan.expert_tensor_parallel);
  }
  const std::string_view backend = "--parallelism.expert_parallel_comm_backend";
  if (plan.expert_dispatch == ExpertDispatch::all_to_all) {
    out.add(backend, "standard");
  } else if (plan.expert_dispatch == ExpertDispatch::deepep) {
    out.add(backend, "deepep");
  }
  if (plan.schedule == Schedule::dualpipev && plan.pipeline_parallel > 1) {
    titan_switch(out, "parallelism", "pipeline_parallel_expert_parallel_overlap",
                 plan.expert_overlap);
  }
}

std::vector<std::string> torchtitan(const Plan& plan, const Sizes& sizes,
                                    const scenarios::SpaceFacts& facts) {
  Arguments out;
  out.add("--parallelism.tensor_parallel_degree", plan.tensor_parallel);
  titan_switch(out, "parallelism", "enable_async_tensor_parallel", plan.async_tensor_parallel);
  titan_pipeline(out, plan, facts.layers);
  out.add("--parallelism.context_parallel_degree", plan.context_parallel);
  out.add("--parallelism.expert_parallel_degree", plan.expert_parallel);
  if (has_experts(facts)) titan_experts(out, plan);
  titan_data_parallel(out, plan, sizes);
  titan_reshard(out, plan);
  titan_batch(out, plan, sizes);
  titan_precision(out, plan);
  if (plan.optimizer == Optimizer::adam || plan.optimizer == Optimizer::adamw) {
    out.add("--optimizer.name", plan.optimizer == Optimizer::adam ? "Adam" : "AdamW");
  }
  titan_recompute(out, plan);
  titan_switch(out, "compile", "enable", plan.compile);
  return out.list;
}

// ---- Megatron-LM ------------------------------------------------------------------------------

void megatron_fsdp(Arguments& out) {
  out.flag("--use-distributed-optimizer");
  out.flag("--use-megatron-fsdp");
  out.add("--data-parallel-sharding-strategy", "optim_grads_params");
}

void megatron_sharding(Arguments& out, const Plan& plan, const Sizes& sizes) {
  switch (plan.sharding) {
    case Sharding::zero1:
    case Sharding::zero1_hybrid:
      out.flag("--use-distributed-optimizer");
      break;
    case Sharding::full_shard:
    case Sharding::hybrid_shard:
      megatron_fsdp(out);
      break;
    case Sharding::shard_grad_op:
      if (plan.pipeline_parallel == 1) {  // else it refuses
        out.flag("--use-torch-fsdp2");
        out.flag("--torch-fsdp2-no-reshard-after-forward");
      }
      break;
    case Sharding::no_shard:
    case Sharding::hybrid_shard_zero2:
      return;
  }
  if (sizes.replicate > 1 && sim::shards_in_groups(plan.sharding)) {
    out.add("--num-distributed-optimizer-instances", sizes.replicate);
  }
}

/// Unless told it computes in 32 bits.
void megatron_precision(Arguments& out, const Plan& plan) {
  const Dtype dtype = plan.dtype;
  if (dtype == Dtype::bf16 || sim::is_quantised(dtype)) out.flag("--bf16");
  if (dtype == Dtype::fp16) out.flag("--fp16");
  if (dtype == Dtype::fp8) out.add("--fp8-format", "hybrid");
  if (dtype == Dtype::mxfp8) {
    out.add("--fp8-format", "e4m3");
    out.add("--fp8-recipe", "mxfp8");
  }
  if (dtype == Dtype::nvfp4) out.add("--fp4-format", "e2m1");
  if (plan.reduce_dtype == Dtype::bf16) {
    out.flag("--grad-reduce-in-bf16");
  } else if (plan.reduce_dtype == Dtype::fp32) {
    out.flag("--accumulate-allreduce-grads-in-fp32");
  }
}

void megatron_recompute(Arguments& out, const Plan& plan) {
  if (plan.recompute == Recompute::selective) {
    out.add("--recompute-granularity", "selective");
  } else if (plan.recompute == Recompute::full) {
    out.add("--recompute-granularity", "full");
    out.add("--recompute-method", "uniform");
    out.add("--recompute-num-layers", 1);
  }
}

/// It has no exchange of two steps but DeepEP's, and keeps experts on the device.
void megatron_experts(Arguments& out, const Plan& plan) {
  out.add("--expert-tensor-parallel-size", plan.expert_tensor_parallel);
  const std::string_view dispatcher = "--moe-token-dispatcher-type";
  switch (plan.expert_dispatch) {
    case ExpertDispatch::all_to_all:
      out.add(dispatcher, "alltoall");
      break;
    case ExpertDispatch::deepep:
      out.add(dispatcher, "flex");
      out.add("--moe-flex-dispatcher-backend", "deepep");
      break;
    case ExpertDispatch::all_gather:
      out.add(dispatcher, "allgather");
      break;
    case ExpertDispatch::hierarchical:
      break;
  }
  const bool whole_layers = sim::recomputes_whole_layers(plan);
  if (plan.expert_overlap && plan.expert_parallel > 1 && !whole_layers) {  // else it refuses
    out.flag("--overlap-moe-expert-parallel-comm");
  }
}

std::vector<std::string> megatron(const Plan& plan, const Sizes& sizes,
                                  const scenarios::SpaceFacts& facts) {
  Arguments out;
  out.add("--tensor-model-parallel-size", plan.tensor_parallel);
  if (plan.sequence_parallel) out.flag("--sequence-parallel");
  if (plan.async_tensor_parallel) out.flag("--tp-comm-overlap");
  out.add("--pipeline-model-parallel-size", plan.pipeline_parallel);
  if (plan.pipeline_parallel > 1 && plan.schedule == Schedule::interleaved) {
    out.add("--num-virtual-stages-per-pipeline-rank", plan.virtual_stages);
  }
  out.add("--context-parallel-size", plan.context_parallel);
  out.add("--expert-model-parallel-size", plan.expert_parallel);
  if (has_experts(facts)) megatron_experts(out, plan);
  megatron_sharding(out, plan, sizes);
  out.add("--micro-batch-size", plan.micro_batch);
  out.add("--global-batch-size", plan.global_batch);
  megatron_precision(out, plan);
  if (plan.optimizer == Optimizer::adamw || plan.optimizer == Optimizer::sgd) {
    // Its adam decouples the weight decay.
    out.add("--optimizer", plan.optimizer == Optimizer::sgd ? "sgd" : "adam");
  }
  if (sim::offloads_optimizer(
          plan)) {  // activations: it has no flag that copies those of all layers
    out.flag("--optimizer-cpu-offload");
    out.flag("--use-precision-aware-optimizer");
  }
  megatron_recompute(out, plan);
  return out.list;
}

std::vector<std::string> torchrun(const sim::Cluster& cluster) {
  const int per_node = std::min(cluster.gpus, cluster.gpus_per_node);
  Arguments out;
  out.add("--nnodes", (cluster.gpus + per_node - 1) / per_node);
  out.add("--nproc-per-node", per_node);
  return out.list;
}

}  // namespace

LaunchOptions launch_options(const scenarios::Scenario& scenario, const sim::Plan& plan) {
  const sim::Cluster cluster = sim::cluster_of(plan, scenario.cluster);
  const scenarios::SpaceFacts& facts = scenario.space.facts();
  if (facts.kind == scenarios::WorkloadKind::recommendation) {
    return {.torchrun = torchrun(cluster)};
  }
  const Sizes sizes = sizes_of(plan, cluster);
  return {.torchtitan = torchtitan(plan, sizes, facts),
          .megatron = megatron(plan, sizes, facts),
          .torchrun = torchrun(cluster)};
}

}  // namespace cubicbench::search
