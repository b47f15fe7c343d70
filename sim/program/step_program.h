#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/units.h"
#include "sim/plan/device_mesh.h"
#include "sim/plan/played_order.h"
#include "sim/program/allocation_table.h"
#include "sim/program/matrix_update.h"
#include "sim/program/operation.h"
#include "sim/program/weights.h"
#include "sim/workload/transformer.h"

namespace cubicbench::sim {

/// The pipeline that was played last, whose stages and passes are still where it left them.
struct LastPlayed {
  SplitShape shape{.micro_batches = 0};
  Seconds hop;
  bool is_over = false;  ///< else only the shape is known
};

/// Buffers for pipelines with split backward passes: orders that were in use, and room for the
/// times of their passes.
struct SplitRoom {
  PlayedOrders orders;
  std::vector<Seconds> times;
  LastPlayed last;
};

/// The blocks of a transformer, a value for each. Stages repeat them.
template <typename Value>
struct PerBlock {
  PerKind<LayerPasses<Value>> layers{};
  Value embedding{};  ///< forward and backward
  Value head{};       ///< forward, loss and backward
  Value
      prediction{};  ///< what a prediction layer computes beside its block and the head, both ways
};

/// Calls `visit` with what all of `values` have of a block, block after block.
template <typename Visit, typename... PerBlocks>
void for_each_block(Visit visit, PerBlocks&... values) {
  for (std::size_t kind = 0; kind < layer_kinds_max; ++kind) {
    visit(values.layers[kind].forward...);
    visit(values.layers[kind].recompute...);
    visit(values.layers[kind].backward...);
    visit(values.layers[kind].weight_gradients...);
    visit(values.layers[kind].pair...);
  }
  visit(values.embedding...);
  visit(values.head...);
  visit(values.prediction...);
}

/// M: tokens of a micro-batch on one rank.
inline double micro_batch_tokens(const Transformer& model, const Plan& plan) {
  return static_cast<double>(plan.micro_batch * model.sequence) /
         static_cast<double>(plan.context_parallel);
}

/// Layers of one kind in a stage, or in a chunk of it.
struct LayerCount {
  double layers = 0.0;
  double recomputed = 0.0;  ///< of `layers`

  bool operator==(const LayerCount&) const = default;
};

/// Consecutive pipeline stages that run the same operations the same number of times. In-flight
/// activations fall along a run, so its first stage needs the most memory.
struct StageRun {
  std::int64_t first = 0;
  std::int64_t stages = 1;
  PerKind<LayerCount> kinds{};        ///< prediction layers included
  PerKind<LayerCount> first_chunk{};  ///< of `kinds`, those of the first of two chunks of a V
  double layers = 0.0;                ///< of all kinds
  double recomputed_layers = 0.0;     ///< of `layers`
  double head_passes = 0.0;           ///< 1 and the prediction layers where the head is
  bool has_embedding = false;
  bool has_head = false;
  WeightUnits weights;         ///< without those of routed experts
  WeightUnits expert_weights;  ///< of this rank's share of them, in units as layers are
  Bytes offloaded;             ///< activations to the host and back, a micro-batch
};

/// One training step of a transformer in one configuration, before anything has a time.
struct StepProgram {
  std::vector<Operation> operations;
  PerBlock<Block> blocks;
  std::vector<StageRun> runs;
  AllocationTable allocations;  ///< a holder a run
  DeviceMesh mesh;
  WeightTraffic weights;
  WeightTraffic expert_weights;                ///< the same kind, over other groups
  double micro_batches = 1.0;                  ///< m, a data-parallel rank and step
  double stages = 1.0;                         ///< p
  double chunks = 1.0;                         ///< v
  Bytes boundary;                              ///< activations of one micro-batch between stages
  double optimizer_bytes_per_parameter = 0.0;  ///< streamed by the update
  double offloaded_bytes_per_parameter = 0.0;  ///< to the host and back for it, where it is there
  double optimizer_shards = 1.0;               ///< ranks that share the update
  double expert_optimizer_shards = 1.0;        ///< the same of routed experts
  MatrixUpdate matrix_update;                  ///< of an optimizer that needs whole matrices
  // Of experts that are stored outside of the device, a parameter that a rank updates:
  double expert_host_bytes = 0.0;     ///< through host memory; 0: they are on the device
  double expert_storage_bytes = 0.0;  ///< and from and to SSD
  SplitRoom split;                    ///< buffers of the engine, no part of the step
};

}  // namespace cubicbench::sim
