#pragma once

#include <cmath>
#include <cstdint>

#include "sim/hardware/dtype.h"
#include "sim/plan/optimizer.h"
#include "sim/plan/recompute.h"
#include "sim/plan/schedule.h"
#include "sim/plan/sharding.h"

namespace cubicbench::sim {

enum class BackwardPrefetch { none, post, pre };
/// How the ranks of a context group come by each other's keys and values [sim/hardware/stack.h].
enum class ContextPlan {
  stack,  ///< as its software does by default
  all_gather,
  p2p,  ///< in a ring
};
enum class Offload { none, optimizer, activations, both };
/// How tokens get to their experts' ranks and back.
enum class ExpertDispatch {
  all_to_all,    ///< one flat exchange among the ranks that share the experts
  hierarchical,  ///< one between nodes, a token once a node, then one on the node [SE-MoE]
  deepep,        ///< the same two, pipelined with one another [DeepSeekV3, section 3.2.2]
  all_gather,    ///< every rank gathers all tokens and keeps its experts'
};
/// Where weights and optimizer state of the experts stay while they are not in use.
enum class ExpertStorage {
  device,
  host,
  ssd,  ///< behind a cache in host memory [SE-MoE, section 3.1]
};
enum class EmbeddingPlan {
  planner,
  table_wise,
  row_wise,
  column_wise,
  table_row_wise,
  grid,
  data_parallel,
  two_d
};
enum class EmbeddingKernel { fused, uvm, uvm_caching };
enum class InputPipeline { none, prefetch, pipelined };

/// Every knob of one training configuration, as plain values under the contract's setting names.
struct Plan {
  std::int64_t gpus = 0;  ///< of the cluster that the job takes; 0: all of them
  std::int64_t tensor_parallel = 1;
  bool sequence_parallel = false;
  bool async_tensor_parallel = false;
  std::int64_t pipeline_parallel = 1;
  Schedule schedule = Schedule::one_f_one_b;
  std::int64_t virtual_stages = 1;  ///< model chunks a stage; read only by interleaved
  std::int64_t context_parallel = 1;
  /// Of its ranks, neighbours that exchange heads for tokens, so that each has all of their tokens
  /// of some heads in attention; the others' keys and values come as `context_exchange` says.
  std::int64_t ulysses_degree = 1;
  ContextPlan context_exchange = ContextPlan::stack;
  bool context_load_balance = true;  ///< causal work is dealt evenly; else tokens lie in order
  std::int64_t expert_parallel = 1;  ///< ranks of a stage that share the experts
  std::int64_t expert_tensor_parallel = 1;  ///< GPUs that share each expert
  ExpertDispatch expert_dispatch = ExpertDispatch::all_to_all;
  bool expert_overlap = false;  ///< dispatch and combine beside another micro-batch's compute
  ExpertStorage expert_storage = ExpertStorage::device;
  std::int64_t expert_cache_thousandths = 1000;  ///< share of the experts that host memory caches
  bool expert_prefetch = true;     ///< copy the next layer's experts beside this layer's compute
  std::int64_t data_parallel = 0;  ///< 0: derived from the GPU count
  std::int64_t global_batch = 1;   ///< sequences a step
  std::int64_t micro_batch = 1;    ///< sequences a micro-batch and data-parallel rank
  Sharding sharding = Sharding::no_shard;
  std::int64_t shard_group =
      0;                  ///< ranks that share one copy in hybrid modes; 0: those of one node
  std::int64_t wrap = 1;  ///< layers an FSDP unit
  bool forward_prefetch = false;
  BackwardPrefetch backward_prefetch = BackwardPrefetch::pre;
  bool limit_all_gathers = true;
  std::int64_t reshard_after_forward = 1;  ///< 0 no, 1 yes, n >= 2 to n ranks
  bool accumulate_without_sync = false;
  Dtype dtype = Dtype::bf16;         ///< of matrix multiplications
  Dtype param_dtype = Dtype::bf16;   ///< gathered and computed weights, activations
  Dtype reduce_dtype = Dtype::fp32;  ///< of gradient reduction
  Optimizer optimizer = Optimizer::adamw;
  Offload offload = Offload::none;
  Recompute recompute = Recompute::none;
  std::int64_t recompute_every = 1;  ///< k of every_k: one layer in k is recomputed
  bool compile = false;
  bool quantize_base = false;  ///< frozen weights stay in 4 bits, and are widened for each product

  // Recommendation models only.
  std::int64_t batch_per_gpu = 1;  ///< samples a GPU and step
  EmbeddingPlan embedding_plan =
      EmbeddingPlan::table_wise;             ///< of tables above the threshold below
  std::int64_t embedding_groups = 1;         ///< copies of all sharded tables, in 2D plans
  std::int64_t embedding_sync_interval = 1;  ///< steps between averages of those copies
  EmbeddingKernel embedding_kernel = EmbeddingKernel::fused;
  std::int64_t embedding_cache_thousandths = 200;  ///< share of the rows that HBM caches
  Dtype embedding_dtype = Dtype::fp32;
  Optimizer embedding_optimizer = Optimizer::rowwise_adagrad;
  std::int64_t embedding_replicate_below_gib_thousandths = 0;  ///< smaller tables are replicated
  Dtype forward_comm_dtype = Dtype::fp32;                      ///< pooled embeddings on the wire
  Dtype backward_comm_dtype = Dtype::fp32;                     ///< and their gradients
  bool index_dedup = false;  ///< rows that are not pooled are asked for once by each rank
  InputPipeline input_pipeline = InputPipeline::none;
  /// Samples are dealt to ranks so that their histories take equally long.
  bool length_balancing = false;
  Sharding dense_sharding = Sharding::no_shard;  ///< of the dense arch
  Sharding sequence_sharding = Sharding::no_shard;
  Sharding interaction_sharding = Sharding::no_shard;
  Sharding over_sharding = Sharding::no_shard;  ///< of the over arch

  bool operator==(const Plan&) const = default;
};

constexpr bool offloads_optimizer(const Plan& plan) {
  return plan.offload == Offload::optimizer || plan.offload == Offload::both;
}
constexpr bool stores_experts(const Plan& plan) {
  return plan.expert_storage != ExpertStorage::device;
}
constexpr bool recomputes_whole_layers(const Plan& plan) {
  return traits(plan.recompute).whole_layers;
}
/// Ranks of a context group that have different tokens in attention. Requires ulysses_degree to
/// divide context_parallel.
constexpr std::int64_t ring_degree(const Plan& plan) {
  return plan.context_parallel / plan.ulysses_degree;
}
/// Whether layer `layer` of a stage is recomputed, in part or whole; and of `layers` layers how
/// many.
constexpr bool is_recomputed(const Plan& plan, std::int64_t layer) {
  if (traits(plan.recompute).one_in_k) return (layer + 1) % plan.recompute_every == 0;
  return recomputes(plan.recompute);
}
inline double recomputed_layers(const Plan& plan, double layers) {
  if (!recomputes(plan.recompute)) return 0.0;
  const double every = static_cast<double>(plan.recompute_every);
  return traits(plan.recompute).one_in_k ? std::floor(layers / every) : layers;
}
constexpr bool offloads_activations(const Plan& plan) {
  return plan.offload == Offload::activations || plan.offload == Offload::both;
}

}  // namespace cubicbench::sim
