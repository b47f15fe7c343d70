#pragma once

#include <cstdint>

#include "sim/hardware/cluster.h"
#include "sim/plan/plan.h"
#include "sim/workload/workload.h"

namespace cubicbench::sim {

/// Why a plan cannot be laid out at all. Running out of memory is not among these.
enum class Rule {
  none,
  gpus_divide,            ///< gpus is a multiple of tensor x context x pipeline parallel
  data_parallel_matches,  ///< a stated data_parallel is the derived one
  batch_divides,          ///< global_batch is a multiple of data_parallel x micro_batch
  heads_divide,           ///< attention_heads is a multiple of tensor_parallel
  scan_groups_divide,     ///< groups of a scan's heads are a multiple of tensor_parallel
  kv_heads_divide,        ///< kv_heads and tensor_parallel divide one another
  ffn_divides,            ///< ffn_hidden is a multiple of tensor_parallel
  sequence_divides,    ///< sequence is a multiple of context parallel x 2 and of tensor x context
                       ///< with SP
  enough_layers,       ///< a stage holds a layer, a chunk one, the embedding or the head
  micro_batches_fill,  ///< interleaved: micro-batches are a multiple of pipeline_parallel
  micro_batches_pair,  ///< dualpipe: micro-batches are a multiple of 2
  micro_batches_suffice,  ///< dualpipe and dualpipev: as many as 2 pipeline_parallel
  stages_pair,            ///< dualpipe: pipeline_parallel is a multiple of 2
  schedule_pipelines,     ///< split backward passes without a pipeline
  schedule_fits,          ///< pipelining schedule without a pipeline, or interleaved with one chunk
  shard_group_divides,    ///< the data-parallel group is a multiple of shard_group
  reshard_divides,        ///< reshard_after_forward = n divides the ranks that share a copy
  expert_parallel_dense,  ///< a dense model has no experts to distribute
  experts_divide,         ///< the number of experts is a multiple of expert_parallel
  expert_mesh_divides,    ///< expert_tensor x expert parallel divides tensor x context x data
  expert_ffn_divides,     ///< an expert's width is a multiple of expert_tensor_parallel
  dtype_supported,        ///< the device has no such matrix rate
  copies_divide,          ///< embedding_groups divides the GPUs, and a node or nodes in whole
  cache_holds_rows,       ///< a cache of no rows caches nothing
  wire_dtype,             ///< embeddings travel in 32, 16 or 8 bits
  ulysses_divides,        ///< context_parallel is a multiple of ulysses_degree
  heads_exchange,         ///< a tensor rank's attention heads are a multiple of ulysses_degree
  kv_heads_exchange,      ///< its key heads and ulysses_degree divide one another
  weights_frozen,         ///< quantize_base without frozen weights
  not_modelled,           ///< a legal setting whose physics is not in the simulator yet
};

struct Violation {
  Rule rule = Rule::none;
  const char* setting = "";  ///< the setting to change, or "cluster.gpus"
  std::int64_t got = 0;
  std::int64_t needs = 0;  ///< the divisor, bound or value that was not met
  explicit operator bool() const { return rule != Rule::none; }
};

/// The derived data-parallel degree: gpus / (tensor x context x pipeline). Requires gpus_divide.
std::int64_t data_parallel(const Plan& plan, const Cluster& cluster);

/// The first rule that `plan` breaks, in the order above. Requires a cluster of as many GPUs as the
/// plan takes, where it says so (sim/plan/plan_cluster).
Violation check(const Plan& plan, const Transformer& model, const Cluster& cluster);
Violation check(const Plan& plan, const Recommendation& model, const Cluster& cluster);
Violation check(const Plan& plan, const Workload& model, const Cluster& cluster);

/// The two halves of that of a recommendation model: no rule reads settings of both sides.
Violation check_dense(const Plan& plan, const Recommendation& model, const Cluster& cluster);
Violation check_tables(const Plan& plan, const Cluster& cluster);

}  // namespace cubicbench::sim
