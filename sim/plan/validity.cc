#include "sim/plan/validity.h"

#include <algorithm>
#include <initializer_list>
#include <utility>
#include <variant>

#include "sim/base/check.h"
#include "sim/plan/pipeline_schedule.h"

namespace cubicbench::sim {
namespace {

Violation not_a_multiple(Rule rule, const char* setting, std::int64_t got, std::int64_t of) {
  return got % of == 0 ? Violation{} : Violation{rule, setting, got, of};
}

Violation not_a_divisor(Rule rule, const char* setting, std::int64_t got, std::int64_t of) {
  return of % got == 0 ? Violation{} : Violation{rule, setting, got, of};
}

template <typename Value>
Violation unless_modelled(bool modelled, const char* setting, Value value) {
  return modelled ? Violation{}
                  : Violation{Rule::not_modelled, setting, static_cast<std::int64_t>(value), 0};
}

/// The first that is one, in order.
Violation first_of(std::initializer_list<Violation> violations) {
  for (const Violation& violation : violations) {
    if (violation) return violation;
  }
  return {};
}

/// Settings that both kinds of model read.
Violation check_modelled(const Plan& plan) {
  return first_of(
      {unless_modelled(traits(plan.param_dtype).kept, "param_dtype", plan.param_dtype),
       unless_modelled(traits(plan.reduce_dtype).kept, "reduce_dtype", plan.reduce_dtype),
       unless_modelled(!traits(plan.optimizer).of_rows, "optimizer", plan.optimizer)});
}

/// Copies of the tables are neighbours: a node holds whole ones, or they fill whole nodes.
Violation check_copies(const Plan& plan, const Cluster& cluster) {
  const std::int64_t copies = plan.embedding_groups;
  const std::int64_t node = cluster.gpus_per_node;
  if (cluster.gpus % copies != 0) {
    return {Rule::copies_divide, "embedding_groups", copies, cluster.gpus};
  }
  return copies == 1 || node % copies == 0 || copies % node == 0
             ? Violation{}
             : Violation{Rule::copies_divide, "embedding_groups", copies, node};
}

Violation check_cache(const Plan& plan) {
  const bool caches = plan.embedding_kernel == EmbeddingKernel::uvm_caching;
  return caches && plan.embedding_cache_thousandths == 0
             ? Violation{Rule::cache_holds_rows, "embedding_cache_ratio", 0, 0}
             : Violation{};
}

Violation check_wire(const char* setting, Dtype dtype) {
  return traits(dtype).sent
             ? Violation{}
             : Violation{Rule::wire_dtype, setting, static_cast<std::int64_t>(dtype), 0};
}

Violation check_matmul(const Plan& plan, const Device& device) {
  return device.matmul_peak[row_of(plan.dtype)].value > 0.0
             ? Violation{}
             : Violation{Rule::dtype_supported, "dtype", static_cast<std::int64_t>(plan.dtype), 0};
}

/// Optimizers of whole matrices multiply them on the device, in bf16.
Violation check_matrix_update(const Plan& plan, const Device& device) {
  if (!updates_matrices(plan.optimizer)) return {};
  const bool multiplies = device.matmul_peak[row_of(Dtype::bf16)].value > 0.0;
  return first_of({unless_modelled(!offloads_optimizer(plan), "offload", plan.offload),
                   unless_modelled(!stores_experts(plan), "expert_storage", plan.expert_storage),
                   unless_modelled(multiplies, "optimizer", plan.optimizer)});
}

Violation check_shard_group(Sharding sharding, const Plan& plan, std::int64_t replicas) {
  return shards_in_groups(sharding) && plan.shard_group > 0 && replicas % plan.shard_group != 0
             ? Violation{Rule::shard_group_divides, "shard_group", plan.shard_group, replicas}
             : Violation{};
}

/// Of parts that some layer has.
Violation check_tensor_shards(const Plan& plan, const Transformer& model) {
  const std::int64_t t = plan.tensor_parallel;
  const bool all = model.pattern.empty();
  const bool attends = all || has_attention(model);
  if (attends && model.attention_heads % t != 0) {
    return {Rule::heads_divide, "tensor_parallel", t, model.attention_heads};
  }
  if (has_state_space(model) && model.state_space.groups % t != 0) {
    return {Rule::scan_groups_divide, "tensor_parallel", t, model.state_space.groups};
  }
  if (attends && model.kv_heads % t != 0 && t % model.kv_heads != 0) {
    return {Rule::kv_heads_divide, "tensor_parallel", t, model.kv_heads};
  }
  const bool dense = all || has_feed_forward(model, FeedForward::dense);
  return dense && model.ffn_hidden % t != 0
             ? Violation{Rule::ffn_divides, "tensor_parallel", t, model.ffn_hidden}
             : Violation{};
}

/// Ranks that exchange heads for tokens each take whole heads: of fewer key heads, copies.
Violation check_heads_exchange(const Plan& plan, const Transformer& model) {
  const std::int64_t u = plan.ulysses_degree;
  if (u == 1) return {};
  const std::int64_t heads = model.attention_heads / plan.tensor_parallel;
  const std::int64_t keys = std::max<std::int64_t>(1, model.kv_heads / plan.tensor_parallel);
  const bool latent = has_latent_attention(model);  // its keys expand to all heads
  return first_of({not_a_divisor(Rule::ulysses_divides, "ulysses_degree", u, plan.context_parallel),
                   not_a_divisor(Rule::heads_exchange, "ulysses_degree", u, heads),
                   latent || u % keys == 0
                       ? Violation{}
                       : not_a_divisor(Rule::kv_heads_exchange, "ulysses_degree", u, keys)});
}

Violation check_model_shards(const Plan& plan, const Transformer& model) {
  if (const Violation v = check_tensor_shards(plan, model)) return v;
  if (const Violation v = check_heads_exchange(plan, model)) return v;
  const std::int64_t t = plan.tensor_parallel;
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

/// Both ends of DualPipe's model are on two stages, and each of its ways takes half of the
/// micro-batches; each way must be full [DualPipe, dualpipe.py and dualpipev.py].
Violation check_dualpipe(const Plan& plan, std::int64_t micro_batches) {
  const std::int64_t p = plan.pipeline_parallel;
  const ScheduleTraits schedule = traits(plan.schedule);
  if (schedule.both_ways && p % 2 != 0) return {Rule::stages_pair, "pipeline_parallel", p, 2};
  if (schedule.both_ways && micro_batches % 2 != 0) {
    return {Rule::micro_batches_pair, "global_batch", micro_batches, 2};
  }
  return schedule.runs_pairs && micro_batches < 2 * p
             ? Violation{Rule::micro_batches_suffice, "global_batch", micro_batches, 2 * p}
             : Violation{};
}

Violation check_pipeline(const Plan& plan, const Transformer& model, std::int64_t micro_batches) {
  const std::int64_t p = plan.pipeline_parallel;
  const bool interleaved = traits(plan.schedule).chunks == StageChunks::in_a_round;
  if (splits_backward(plan.schedule) && p == 1) {
    return {Rule::schedule_pipelines, "pipeline_parallel", p, 2};
  }
  if (interleaved && p == 1) return {Rule::schedule_fits, "pipeline_parallel", p, 2};
  if (interleaved && plan.virtual_stages < 2) {
    return {Rule::schedule_fits, "virtual_stages", plan.virtual_stages, 2};
  }
  const std::int64_t chunks = traits(plan.schedule).both_ways ? p : p * chunks_per_stage(plan);
  // A chunk may have nothing but the embedding, another one nothing but the head.
  const std::int64_t pieces = model.layers + (interleaved ? 2 : 0);
  if (pieces < chunks) {
    return {Rule::enough_layers, interleaved ? "virtual_stages" : "pipeline_parallel", chunks,
            pieces};
  }
  if (interleaved && micro_batches % p != 0) {
    return {Rule::micro_batches_fill, "global_batch", micro_batches, p};
  }
  return check_dualpipe(plan, micro_batches);
}

Violation check_reshard(Sharding sharding, const Plan& plan, std::int64_t replicas) {
  const bool grouped = shards_in_groups(sharding) && plan.shard_group > 0;
  const std::int64_t shards = grouped ? plan.shard_group : replicas;
  const std::int64_t n = plan.reshard_after_forward;
  if (traits(sharding).reshards && n >= 2 && shards % n != 0) {
    return {Rule::reshard_divides, "reshard_after_forward", n, shards};
  }
  return {};
}

Violation check_no_experts(const Plan& plan) {
  constexpr Rule rule = Rule::expert_parallel_dense;
  return first_of({not_a_divisor(rule, "expert_parallel", plan.expert_parallel, 1),
                   not_a_divisor(rule, "expert_tensor_parallel", plan.expert_tensor_parallel, 1)});
}

/// `ranks`: of one pipeline stage.
Violation check_experts(const Plan& plan, const Transformer& model, std::int64_t ranks) {
  if (!has_experts(model)) return check_no_experts(plan);
  const std::int64_t ep = plan.expert_parallel;
  const std::int64_t etp = plan.expert_tensor_parallel;
  const Experts& experts = model.experts;
  return first_of(
      {not_a_divisor(Rule::experts_divide, "expert_parallel", ep, experts.count),
       not_a_divisor(Rule::expert_mesh_divides, "expert_parallel", ep * etp, ranks),
       not_a_divisor(Rule::expert_ffn_divides, "expert_tensor_parallel", etp, experts.ffn_hidden),
       not_a_divisor(Rule::ffn_divides, "tensor_parallel", plan.tensor_parallel,
                     experts.shared_ffn_hidden),
       unless_modelled(
           !stores_experts(plan) || ranks == ep * etp || !traits(plan.sharding).shards_parameters,
           "expert_storage", plan.expert_storage)});
}

/// Of policies by operation or module, archs know that of norms, of layers of HSTU.
bool recomputes_as_known(const Plan& plan, const Recommendation& model) {
  const bool is_hstu = model.sequence && model.sequence->kind == SequenceLayer::hstu;
  return !by_operation(plan.recompute) || (is_hstu && traits(plan.recompute).norms < 1.0);
}

}  // namespace

std::int64_t data_parallel(const Plan& plan, const Cluster& cluster) {
  return cluster.gpus / (plan.tensor_parallel * plan.context_parallel * plan.pipeline_parallel);
}

Violation check(const Plan& plan, const Transformer& model, const Cluster& cluster) {
  SIM_ASSERT(plan.gpus == 0 || plan.gpus == cluster.gpus, plan.gpus, cluster.gpus);
  const std::int64_t replica =
      plan.tensor_parallel * plan.context_parallel * plan.pipeline_parallel;
  const char* const count = plan.gpus > 0 ? "gpus" : "cluster.gpus";
  if (const Violation v = not_a_multiple(Rule::gpus_divide, count, cluster.gpus, replica)) return v;
  const std::int64_t dp = data_parallel(plan, cluster);
  if (plan.data_parallel != 0 && plan.data_parallel != dp) {
    return {Rule::data_parallel_matches, "data_parallel", plan.data_parallel, dp};
  }
  if (const Violation v = not_a_multiple(Rule::batch_divides, "global_batch", plan.global_batch,
                                         dp * plan.micro_batch)) {
    return v;
  }
  if (const Violation v = check_model_shards(plan, model)) return v;
  if (const Violation v =
          check_pipeline(plan, model, plan.global_batch / (dp * plan.micro_batch))) {
    return v;
  }
  const std::int64_t replicas = dp * plan.context_parallel;
  return first_of({check_shard_group(plan.sharding, plan, replicas),
                   check_reshard(plan.sharding, plan, replicas),
                   check_experts(plan, model, plan.tensor_parallel * replicas),
                   check_matmul(plan, cluster.device), check_modelled(plan),
                   check_matrix_update(plan, cluster.device),
                   has_adapters(model) || !plan.quantize_base
                       ? Violation{}
                       : Violation{Rule::weights_frozen, "quantize_base", 1, 0},
                   // States would go from rank to rank, or heads be exchanged.
                   unless_modelled(!has_state_space(model) || plan.context_parallel == 1,
                                   "context_parallel", plan.context_parallel)});
}

Violation check_dense(const Plan& plan, const Recommendation& model, const Cluster& cluster) {
  const std::int64_t ranks = cluster.gpus;
  const bool interacts = !std::holds_alternative<std::monostate>(model.interaction);
  for (const auto& [sharding, is_there] :
       {std::pair{plan.dense_sharding, true},
        std::pair{plan.sequence_sharding, model.sequence.has_value()},
        std::pair{plan.interaction_sharding, interacts}, std::pair{plan.over_sharding, true}}) {
    if (!is_there) continue;
    if (const Violation v = check_shard_group(sharding, plan, ranks)) return v;
    if (const Violation v = check_reshard(sharding, plan, ranks)) return v;
  }
  return first_of({check_matmul(plan, cluster.device),
                   unless_modelled(plan.offload == Offload::none, "offload", plan.offload),
                   unless_modelled(recomputes_as_known(plan, model), "recompute", plan.recompute),
                   unless_modelled(!updates_matrices(plan.optimizer), "optimizer", plan.optimizer),
                   check_modelled(plan)});
}

Violation check_tables(const Plan& plan, const Cluster& cluster) {
  return first_of(
      {check_copies(plan, cluster), check_cache(plan),
       check_wire("forward_comm_dtype", plan.forward_comm_dtype),
       check_wire("backward_comm_dtype", plan.backward_comm_dtype),
       unless_modelled(traits(plan.embedding_dtype).kept, "embedding_dtype", plan.embedding_dtype),
       unless_modelled(!updates_matrices(plan.embedding_optimizer), "embedding_optimizer",
                       plan.embedding_optimizer)});
}

Violation check(const Plan& plan, const Recommendation& model, const Cluster& cluster) {
  const Violation dense = check_dense(plan, model, cluster);
  const Violation tables = check_tables(plan, cluster);
  return tables && (!dense || tables.rule < dense.rule) ? tables : dense;
}

Violation check(const Plan& plan, const Workload& model, const Cluster& cluster) {
  return std::visit([&](const auto& kind) { return check(plan, kind, cluster); }, model);
}

}  // namespace cubicbench::sim
