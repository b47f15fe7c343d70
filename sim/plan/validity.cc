#include "sim/plan/validity.h"

#include "sim/plan/fsdp.h"

namespace cubicbench::sim {
namespace {

Violation not_a_multiple(Rule rule, const char* setting, std::int64_t got, std::int64_t of) {
  return got % of == 0 ? Violation{} : Violation{rule, setting, got, of};
}

/// Weights are gathered and gradients reduced in a storage format.
bool is_storage(Dtype dtype) {
  return dtype == Dtype::fp32 || dtype == Dtype::fp16 || dtype == Dtype::bf16;
}

Violation check_modelled(const Plan& plan) {
  if (!is_storage(plan.param_dtype)) {
    return {Rule::not_modelled, "param_dtype", static_cast<std::int64_t>(plan.param_dtype), 0};
  }
  if (!is_storage(plan.reduce_dtype)) {
    return {Rule::not_modelled, "reduce_dtype", static_cast<std::int64_t>(plan.reduce_dtype), 0};
  }
  if (plan.schedule > Schedule::interleaved) {
    return {Rule::not_modelled, "schedule", static_cast<std::int64_t>(plan.schedule), 0};
  }
  if (plan.offload != Offload::none) {
    return {Rule::not_modelled, "offload", static_cast<std::int64_t>(plan.offload), 0};
  }
  if (plan.optimizer == Optimizer::rowwise_adagrad) {
    return {Rule::not_modelled, "optimizer", static_cast<std::int64_t>(plan.optimizer), 0};
  }
  return {};
}

Violation check_model_shards(const Plan& plan, const Transformer& model) {
  const std::int64_t t = plan.tensor_parallel;
  if (model.attention_heads % t != 0) {
    return {Rule::heads_divide, "tensor_parallel", t, model.attention_heads};
  }
  if (model.kv_heads % t != 0 && t % model.kv_heads != 0) {
    return {Rule::kv_heads_divide, "tensor_parallel", t, model.kv_heads};
  }
  if (model.ffn_hidden % t != 0) {
    return {Rule::ffn_divides, "tensor_parallel", t, model.ffn_hidden};
  }
  // Causal balance pairs chunk i with chunk 2c-1-i, hence 2c chunks [Llama3, section 3.3.2].
  const std::int64_t chunks = plan.context_parallel > 1 ? 2 * plan.context_parallel : 1;
  if (model.sequence % chunks != 0) {
    return {Rule::sequence_divides, "context_parallel", plan.context_parallel, model.sequence};
  }
  if (plan.sequence_parallel && model.sequence % (t * chunks) != 0) {
    return {Rule::sequence_divides, "tensor_parallel", t, model.sequence};
  }
  return {};
}

Violation check_pipeline(const Plan& plan, const Transformer& model, std::int64_t micro_batches) {
  const std::int64_t p = plan.pipeline_parallel;
  const bool interleaved = plan.schedule == Schedule::interleaved;
  if (interleaved && p == 1) {
    return {Rule::schedule_fits, "pipeline_parallel", p, 2};
  }
  if (interleaved && plan.virtual_stages < 2) {
    return {Rule::schedule_fits, "virtual_stages", plan.virtual_stages, 2};
  }
  const std::int64_t chunks = interleaved ? plan.virtual_stages * p : p;
  if (model.layers < chunks) {
    return {Rule::enough_layers, interleaved ? "virtual_stages" : "pipeline_parallel", chunks,
            model.layers};
  }
  if (interleaved && micro_batches % p != 0) {
    return {Rule::micro_batches_fill, "global_batch", micro_batches, p};
  }
  return {};
}

Violation check_reshard(const Plan& plan, std::int64_t replicas) {
  const bool grouped = shards_in_groups(plan.sharding) && plan.shard_group > 0;
  const std::int64_t shards = grouped ? plan.shard_group : replicas;
  const std::int64_t n = plan.reshard_after_forward;
  if (traits(plan.sharding).reshards && n >= 2 && shards % n != 0) {
    return {Rule::reshard_divides, "reshard_after_forward", n, shards};
  }
  return {};
}

}  // namespace

std::int64_t data_parallel(const Plan& plan, const Cluster& cluster) {
  return cluster.gpus / (plan.tensor_parallel * plan.context_parallel * plan.pipeline_parallel);
}

Violation check(const Plan& plan, const Transformer& model, const Cluster& cluster) {
  const std::int64_t replica =
      plan.tensor_parallel * plan.context_parallel * plan.pipeline_parallel;
  if (const Violation v = not_a_multiple(Rule::gpus_divide, "gpus", cluster.gpus, replica)) {
    return v;
  }
  const std::int64_t dp = data_parallel(plan, cluster);
  if (plan.data_parallel != 0 && plan.data_parallel != dp) {
    return {Rule::data_parallel_matches, "data_parallel", plan.data_parallel, dp};
  }
  if (const Violation v = not_a_multiple(Rule::batch_divides, "global_batch", plan.global_batch,
                                         dp * plan.micro_batch)) {
    return v;
  }
  if (const Violation v = check_model_shards(plan, model)) {
    return v;
  }
  if (const Violation v =
          check_pipeline(plan, model, plan.global_batch / (dp * plan.micro_batch))) {
    return v;
  }
  const std::int64_t replicas = dp * plan.context_parallel;
  if (shards_in_groups(plan.sharding) && plan.shard_group > 0 && replicas % plan.shard_group != 0) {
    return {Rule::shard_group_divides, "shard_group", plan.shard_group, replicas};
  }
  if (const Violation v = check_reshard(plan, replicas)) {
    return v;
  }
  if (plan.expert_parallel != 1) {
    return {Rule::expert_parallel_dense, "expert_parallel", plan.expert_parallel, 1};
  }
  if (cluster.device.matmul_peak[static_cast<std::size_t>(plan.dtype)].value <= 0.0) {
    return {Rule::dtype_supported, "dtype", static_cast<std::int64_t>(plan.dtype), 0};
  }
  return check_modelled(plan);
}

}  // namespace cubicbench::sim
