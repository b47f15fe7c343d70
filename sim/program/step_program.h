#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/base/units.h"
#include "sim/kernels/attention.h"
#include "sim/kernels/gemm.h"
#include "sim/plan/device_mesh.h"
#include "sim/program/parts.h"

namespace cubicbench::sim {

/// The resource an operation occupies. Operations of one stream run in order.
enum class Stream : std::uint8_t { compute, tensor, context };

enum class OperationKind : std::uint8_t {
  gemm,                ///< `gemm`, `count` times
  attention_forward,   ///< `attention`
  attention_backward,  ///< `attention`
  memory_bound,        ///< `bytes` streamed
  gather,      ///< all-gather or reduce-scatter of `bytes`, `count` times, over the stream's group
  all_reduce,  ///< of `bytes`, `count` times
};

/// One kind of work in a block, with what it moves and computes but no time.
struct Operation {
  OperationKind kind = OperationKind::gemm;
  Stream stream = Stream::compute;
  StepPart part = StepPart::gemm;
  Dtype dtype = Dtype::bf16;
  double count = 1.0;
  Bytes bytes{};
  GemmShape gemm{};
  AttentionShape attention{};
};

/// A run of operations that one host loop issues: a pass over one layer, or over an end of the
/// model. Stages repeat it; it is stored once.
enum class BlockId : std::uint8_t {
  layer_forward,
  layer_recompute,
  layer_backward,
  embedding,  ///< forward and backward
  head,       ///< forward, loss and backward
};
inline constexpr int block_count = 5;

struct Block {
  std::uint32_t begin = 0;  ///< operations [begin, end)
  std::uint32_t end = 0;
  double host_passes = 0.0;  ///< host time, in units of one layer's forward launches
};

/// How the weights and gradients of a stage travel in a step [docs/models.md, section D].
struct WeightTraffic {
  double gather_bytes_per_parameter = 2.0;
  double reduce_bytes_per_parameter = 4.0;
  bool in_units = false;         ///< FSDP: a collective a unit, under the compute of its neighbours
  bool gather_forward = false;   ///< in the forward pass of every micro-batch
  bool gather_backward = false;  ///< in the backward pass of every micro-batch
  bool gather_once = false;  ///< once a step: weights stay gathered, or ZeRO-1 shares its update
  bool backward_over_reshard_group = false;
  bool reduce_each_micro_batch = false;  ///< else once a step
  bool reduce_scatters = false;          ///< else all-reduces
  bool backward_gather_hides = true;     ///< backward_prefetch = pre
  bool reduce_hides = true;              ///< backward_prefetch = pre or post
};

/// One allocation: how much, as what, and at which moments of the step it is alive.
struct Allocation {
  MemoryPart part = MemoryPart::parameters;
  Bytes bytes{};
  std::uint8_t alive = 0;  ///< bit per Moment
};

/// Consecutive pipeline stages that run the same operations the same number of times. In-flight
/// activations fall along a run, so its first stage needs the most memory.
struct StageRun {
  std::int64_t first = 0;
  std::int64_t stages = 1;
  double layers = 0.0;
  double recomputed_layers = 0.0;
  double fill_share = 1.0;  ///< of the stage's work, what one pass of the pipeline waits for
  bool has_embedding = false;
  bool has_head = false;
  double parameters = 0.0;       ///< on one tensor-parallel rank, not sharded over data
  double units = 1.0;            ///< weight collectives a pass
  double unit_parameters = 0.0;  ///< of one of them
  double end_parameters = 0.0;   ///< embedding and head, a collective of their own when in units
  std::uint32_t allocations_begin = 0;
  std::uint32_t allocations_end = 0;
};

/// One training step of one configuration, before anything has a time.
struct StepProgram {
  std::vector<Operation> operations;
  std::array<Block, block_count> blocks{};
  std::vector<StageRun> runs;
  std::vector<Allocation> allocations;
  DeviceMesh mesh;
  WeightTraffic weights;
  double micro_batches = 1.0;                  ///< m, a data-parallel rank and step
  double stages = 1.0;                         ///< p
  double chunks = 1.0;                         ///< v
  Bytes boundary;                              ///< activations of one micro-batch between stages
  double optimizer_bytes_per_parameter = 0.0;  ///< streamed by the update
  double optimizer_shards = 1.0;               ///< ranks that share the update
};

/// Owns the buffers of a program; reuse one per thread so that evaluation allocates nothing.
struct Workspace {
  StepProgram program;
};

}  // namespace cubicbench::sim
