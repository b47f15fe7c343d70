#pragma once

#include <cstdint>
#include <vector>

#include "sim/plan/plan.h"

namespace cubicbench::sim {

enum class PassKind : std::uint8_t {
  forward,
  backward,          ///< whole
  backward_input,    ///< the gradient of the chunk's input alone
  backward_weights,  ///< and those of its weights
};

/// One micro-batch through one chunk of a stage's layers.
struct PipelinePass {
  PassKind kind = PassKind::forward;
  bool beside_next = false;  ///< runs at the same time as the pass after it: DualPipe's pairs
  std::int32_t micro_batch = 0;
  std::int32_t chunk = 0;

  bool operator==(const PipelinePass&) const = default;
};

/// What stage `stage` of a pipeline does in a step of `micro_batches`, in order:
///
///   GPipe        all forward passes, then all backward passes [GPipe, section 2.3]
///   1F1B         p - i - 1 forward passes, then forward and backward in turn [Megatron21, 2.2.1]
///   interleaved  the same over v chunks: micro-batches in groups of p, a group through one chunk
///                after the other, after 2 (p - i - 1) + (v - 1) p forward passes
///                                                                        [Megatron21, 2.2.2]
///   the others   split_order.h
///
/// i stage, p stages, v chunks a stage. Backward passes go through the chunks from the last to the
/// first. Requires a schedule and a number of micro-batches that check() accepts.
std::vector<PipelinePass> pipeline_order(const Plan& plan, std::int64_t micro_batches,
                                         std::int64_t stage);

}  // namespace cubicbench::sim
