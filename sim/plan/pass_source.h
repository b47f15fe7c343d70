#pragma once

#include <cstdint>

#include "sim/plan/pipeline_order.h"
#include "sim/plan/split_shape.h"

namespace cubicbench::sim {

/// The pass of the same micro-batch that another one waits for.
struct PassSource {
  std::int64_t stage = -1;  ///< none: of nothing but the pass before it on its stage
  PassKind kind = PassKind::forward;
  std::int64_t chunk = 0;
  bool sends = false;  ///< what it hands over travels

  explicit operator bool() const { return stage >= 0; }
};

/// Of a pass on stage `stage` of `shape`. Of backward passes, whole or not, it says backward_input.
/// Gradients of weights wait for a pass of their own stage, which comes before them in any order.
constexpr PassSource source_of(const SplitShape& shape, std::int64_t stage,
                               const PipelinePass& pass) {
  if (pass.kind == PassKind::backward_weights) return {};
  const bool forward = pass.kind == PassKind::forward;
  const PassKind kind = forward ? PassKind::forward : PassKind::backward_input;
  // Forward goes down the stages in chunk 0 and up in chunk 1; backward the other way round.
  const bool comes_from_above = forward == (pass.chunk == 0);
  const std::int64_t from = comes_from_above ? stage - 1 : stage + 1;
  if (from >= 0 && from < shape.stages) {
    return {.stage = from, .kind = kind, .chunk = pass.chunk, .sends = true};
  }
  const bool begins = forward && pass.chunk == 0;
  if (begins) return {};
  const std::int64_t last_chunk = shape.chunks() - 1;
  if (!forward && pass.chunk == last_chunk) {  // behind the loss
    return {.stage = stage, .kind = PassKind::forward, .chunk = pass.chunk};
  }
  return {.stage = stage, .kind = kind, .chunk = 1 - pass.chunk, .sends = shape.turn_sends()};
}

/// Whether it sends its result to another stage.
constexpr bool sends(const SplitShape& shape, std::int64_t stage, const PipelinePass& pass) {
  if (pass.kind == PassKind::backward_weights) return false;
  const bool down = (pass.kind == PassKind::forward) == (pass.chunk == 0);
  if (!down) return stage > 0;
  return stage + 1 < shape.stages || (shape.turn_sends() && !shape.is_line());
}

}  // namespace cubicbench::sim
