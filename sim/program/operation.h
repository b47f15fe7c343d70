#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/units.h"
#include "sim/hardware/dtype.h"
#include "sim/kernels/kernels.h"
#include "sim/program/parts.h"

namespace cubicbench::sim {

/// The resource an operation occupies. Operations of one stream run in order.
enum class Stream : std::uint8_t {
  compute,
  tensor,
  context,
  context_heads,     ///< heads of attention for tokens, among the ranks that exchange them
  expert,            ///< among the ranks that share the experts
  expert_node,       ///< those of them on one node
  expert_across,     ///< those at the same place of their nodes
  expert_tensor,     ///< among the ranks that share each expert
  expert_storage,    ///< weights of experts between storage and the device
  embedding,         ///< between the owners of tables and the ranks of a batch
  embedding_node,    ///< among those of them on one node
  embedding_world,   ///< among all ranks: tables that each of them holds
  embedding_copies,  ///< among the ranks that hold the same shards, in 2D plans
  input,             ///< the next batch
};

/// Whether its traffic is that of context parallelism.
constexpr bool joins_context(Stream stream) {
  return stream == Stream::context || stream == Stream::context_heads;
}

enum class OperationKind : std::uint8_t {
  gemm,                ///< `gemm`, `count` times
  attention_forward,   ///< `attention`
  attention_backward,  ///< `attention`
  scan,                ///< `scan`
  memory_bound,        ///< `bytes` streamed
  gather,      ///< all-gather or reduce-scatter of `bytes`, `count` times, over the stream's group
  all_reduce,  ///< of `bytes`, `count` times
  all_to_all,  ///< of the `bytes` that the busiest rank sends or receives, `count` times
  host_copy,   ///< `bytes` between host memory and the device
  storage_copy,  ///< `bytes` between SSD and host memory
  pause,         ///< `time` that depends on no rate
};

/// Which work of a model a kernel does, as far as its writer says.
enum class KernelRole : std::uint8_t {
  other,
  attention_projection,  ///< to queries, keys and values, and of what attention returns
  attention,
  feed_forward,
  router,
  experts,
  shared_experts,
  head,
  element_wise,
  dense_arch,
  sequence_arch,
  interaction_arch,
  over_arch,
  row_lookup,
  row_update,
};
inline constexpr std::size_t kernel_role_count = 15;

/// One kind of work in a block, with what it moves and computes but no time.
struct Operation {
  OperationKind kind = OperationKind::gemm;
  Stream stream = Stream::compute;
  KernelRole role = KernelRole::other;
  StepPart part = StepPart::gemm;
  Dtype dtype = Dtype::bf16;
  double count = 1.0;
  Bytes bytes{};
  Seconds time{};
  GemmShape gemm{};
  AttentionShape attention{};
  ScanShape scan{};
};

/// Does it mix tokens, in place of attention or as attention?
constexpr bool mixes_tokens(const Operation& op) {
  return op.kind == OperationKind::attention_forward ||
         op.kind == OperationKind::attention_backward || op.kind == OperationKind::scan;
}

/// A run of operations that one host loop issues: a pass over one layer, or over an end of the
/// model.
struct Block {
  std::uint32_t begin = 0;  ///< operations [begin, end)
  std::uint32_t end = 0;
  double host_passes = 0.0;  ///< host time, in units of one layer's forward launches
  double launches = 0.0;     ///< kernels, where they are counted
  bool is_pair = false;      ///< passes of two micro-batches at once
};

/// The passes over a layer, a value for each.
template <typename Value>
struct LayerPasses {
  Value forward{};
  Value recompute{};
  Value backward{};  ///< without the gradients of weights where the schedule splits them off
  Value weight_gradients{};  ///< those, then
  Value pair{};  ///< DualPipe: a forward and a whole backward pass over a layer each, at once
};

constexpr std::span<const Operation> operations_in(const Block& block,
                                                   std::span<const Operation> all) {
  return all.subspan(block.begin, block.end - block.begin);
}

/// Calls `body`, which appends to `operations`, and says which they are.
template <typename Body>
Block block_of(const std::vector<Operation>& operations, double host_passes, Body body) {
  Block block;
  block.begin = static_cast<std::uint32_t>(operations.size());
  body();
  block.end = static_cast<std::uint32_t>(operations.size());
  block.host_passes = host_passes;
  return block;
}

}  // namespace cubicbench::sim
