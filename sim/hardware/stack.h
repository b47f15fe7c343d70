#pragma once

#include "sim/base/units.h"
#include "sim/hardware/device.h"
#include "sim/hardware/fusion.h"

namespace cubicbench::sim {

enum class StageBalance {
  even,                ///< layers / stages, earlier stages take the remainder
  ends_short,          ///< embedding and head each count as one layer
  by_cost,             ///< equal weights in matrix multiplications, the head's with the last stage
  even_or_ends_short,  ///< ends_short where only layers and ends together divide into chunks
  even_or_front_full,  ///< the same; what divides neither way fills the chunks from the front
};

/// How ranks of a context group come by the keys and values of the others.
enum class ContextExchange {
  all_gather,  ///< all at once, before attention [Llama3, section 3.3.2]
  ring,        ///< block by block, each exchange beside the block before it
};

/// The few constants of a software stack: what separates its kernels and its overlap from the
/// device's best. One JSON file a stack, each number with its source (scenarios/stacks/).
struct Stack {
  // kernels
  /// Whole-step GEMM rate over the isolated-kernel rate; where kernels are counted and the device
  /// has a rate in training, over that.
  double gemm_factor = 1.0;
  AttentionKernel attention = AttentionKernel::flash2;
  double element_wise_factor = 1.0;           ///< traffic over the minimal two passes, eager
  double compiled_element_wise_factor = 0.4;  ///< the same with kernel fusion by a compiler
  double logits_traffic_bytes = 30.0;         ///< bytes moved a logit, loss forward and backward
  // host
  Seconds host_layer_forward;         ///< time to launch one layer's forward kernels
  double host_smoothness = 8.0;       ///< q of the smooth maximum of GPU and host time
  Seconds host_jitter;                ///< standard deviation of those launches between ranks
  double compiled_host_factor = 0.6;  ///< host time with a compiler, over eager
  Seconds latency_per_rank;           ///< extra latency of a collective, per rank beyond a node
  // laws of software in place of constants of a release, where `launch` is given
  Seconds launch;  ///< CPU time of one kernel's launch, of as many as `fusion` leaves
  Fusion fusion;
  double accumulation_bytes = 0.0;  ///< moved a parameter as a micro-batch's gradients are added
  // experts
  double grouped_gemm_factor = 1.0;  ///< rate of the experts' products over that of one product
  double routing_factor = 1.0;  ///< traffic of routing and permuting tokens, over the least passes
  /// Traffic of an FFN's activation that is not fused, over that of one that is.
  double plain_activation_factor = 1.0;
  double expert_launches = 1.0;     ///< launches of a layer with experts, over one without
  double launches_an_expert = 0.0;  ///< and more for each expert of the rank, over the same
  double dispatch_factor = 1.0;     ///< time of dispatch and combine, over what the network needs
  double dispatch_overlap = 0.0;    ///< share of them hidden with expert_overlap
  bool einsum_dispatch = false;  ///< tokens are placed by products with one-hot matrices [GShard20]
  // overlap
  /// x in max(c, m) + x min(c, m), for FSDP traffic and, where kernels are counted, for buckets.
  double overlap_cost = 1.0;
  double ring_block_cost = 0.0;       ///< time that blocks of a ring's later exchanges take longer
  double tensor_overlap = 0.0;        ///< share of TP traffic hidden without async TP
  double async_tensor_overlap = 0.7;  ///< and with it
  double data_overlap = 0.0;          ///< share of once-a-step gradient traffic that can hide
  double zero1_overlap = 0.0;         ///< the same of ZeRO-1's scatters and gathers
  double pipeline_overlap = 1.0;      ///< share of point-to-point time hidden
  double update_traffic_bytes = 0.0;  ///< a parameter, that an update moves beside its least passes
  /// A layer's forward and backward kernels are launched as one captured graph a pass.
  bool cuda_graphs = false;
  /// Its collective library has trees between nodes (NCCL from about 2.10 on uses them there).
  bool network_trees = true;
  // tables of recommendation models
  double lookup_factor = 1.0;  ///< traffic of reading and updating rows, over what is counted
  Seconds sparse_step;  ///< of every step: small kernels that sort, deduplicate and split ids
  double exchange_factor = 1.0;  ///< time of rows on the wire, over what the network needs
  double lookup_overlap = 0.0;   ///< share of a pipelined lookup that hides under the dense archs
  Seconds input_sample;          ///< of a rank's host, to make one sample ready
  Seconds node_input_sample;     ///< of a node's processors, for one sample of any of its GPUs
  /// Optimizers with moments move every row of a table in every step, asked for or not.
  bool updates_all_rows = false;
  /// Rate of attention in layers of HSTU, over that of `attention`.
  double gated_attention_factor = 1.0;
  // memory: what a layer keeps for its backward pass, bytes a token
  double kept_per_hidden = 16.0;         ///< times hidden, divided by the TP degree with SP
  double kept_per_hidden_whole = 8.0;    ///< of these, what stays whole without SP: the norms'
  double kept_per_kv = 0.0;              ///< times the width of the keys
  double kept_per_ffn = 8.0;             ///< times FFN width (gated)
  double kept_per_ffn_plain = 4.0;       ///< times FFN width (not gated)
  double kept_per_hidden_context = 0.0;  ///< times hidden, more with context parallelism
  /// Products keep their inputs as they read them: quantised where they are.
  bool keeps_quantised = false;
  double kept_per_routed = 4.0;       ///< times hidden, of each copy of a token that is routed
  double kept_per_micro_batch = 0.0;  ///< times hidden, once a stage: outputs that wait to be sent
  double rotary_table_bytes = 0.0;    ///< of a layer's own table, times sequence and head size
  // memory: the loss
  double logits_kept_bytes = 10.0;  ///< bytes a logit alive during the loss
  bool logits_split = true;         ///< among the tensor-parallel ranks; else each holds them all
  // memory: tables
  double table_row_bytes = 0.0;   ///< of a row, beside weights and state: a hash table's entry
  double table_copy_bytes = 0.0;  ///< of a weight, beside it and its state
  // memory: state, bytes a parameter
  double shard_weight_bytes = 4.0;    ///< of the shard that FSDP stores
  double shard_gradient_bytes = 4.0;  ///< of a gradient that FSDP has reduced
  double adam_bytes = 8.0;            ///< both moments
  double gradient_bytes = 4.0;        ///< of an accumulated gradient that is not sharded
  double fp16_gradient_bytes = 4.0;   ///< the same, of training in fp16
  /// Copies of gradients that go with the optimizer's state, of training in fp16.
  double fp16_owned_gradient_bytes = 0.0;
  double pass_gradient_bytes = 0.0;  ///< of one backward pass, before it is accumulated
  /// Of gradients that the products of a layer and of the head return beside those they add to.
  double returned_gradient_bytes = 0.0;
  double bucket_bytes = 0.0;        ///< buckets that replicas reduce their gradients in
  double update_bytes = 0.0;        ///< temporaries of ZeRO-1's update, per parameter of the rank
  double update_shard_bytes = 0.0;  ///< and per parameter that the rank updates
  // memory: what the allocator takes beyond live tensors
  double state_fragmentation = 1.05;  ///< reserved over allocated, of what stays through a step
  double fragmentation = 1.05;        ///< the same of activations and of weights that are gathered
  /// Share of the weights that ZeRO-1 gathers for which no cached block is large enough.
  double update_uncached = 0.0;
  /// Order and lifetimes of its tensors are known, and its allocator is PyTorch's with default
  /// settings: what that reserves can be replayed (sim/memory/allocator_replay.h).
  bool allocator_replayed = false;
  Bytes outside_allocator;  ///< CUDA context, libraries
  Bytes communicator;       ///< NCCL buffers of one communicator
  /// Ranks are laid out inner to outer as tensor, context, data, pipeline; else as tensor, context,
  /// pipeline, data. Experts need the first.
  bool stages_outermost = true;
  StageBalance balance = StageBalance::even;
  ContextExchange context = ContextExchange::all_gather;

  bool operator==(const Stack&) const = default;
};

/// Are kernels counted, and their launches, instead of read off a release?
constexpr bool counts_kernels(const Stack& stack) { return stack.launch.value > 0.0; }

/// Share of tensor-parallel traffic that asynchronous TP hides: all of it, at the cost of overlap.
constexpr double async_overlap(const Stack& stack) {
  return counts_kernels(stack) ? 1.0 - stack.overlap_cost : stack.async_tensor_overlap;
}

/// Traffic of element-wise kernels over the minimal two passes.
constexpr double element_wise_traffic(const Stack& stack, bool compiled) {
  const bool fused = compiled && !counts_kernels(stack);  // else counts have it
  return fused ? stack.compiled_element_wise_factor : stack.element_wise_factor;
}

}  // namespace cubicbench::sim
