#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

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
  return stage + 1 < shape.stages || shape.turn_sends();
}

/// A number for every forward pass and every backward pass of a shape; none has one at first.
class PassTable {
 public:
  static constexpr std::int32_t none = -1;

  void clear(const SplitShape& shape) {
    chunks_ = static_cast<std::size_t>(shape.chunks());
    micro_batches_ = static_cast<std::size_t>(shape.micro_batches);
    numbers_.assign(static_cast<std::size_t>(shape.stages) * 2 * chunks_ * micro_batches_, none);
  }

  void set(std::int64_t stage, const PipelinePass& pass, std::int32_t number) {
    numbers_[row(stage, pass.kind, pass.chunk, pass.micro_batch)] = number;
  }
  /// Of the pass of `micro_batch` that `source` names.
  std::int32_t of(const PassSource& source, std::int32_t micro_batch) const {
    return numbers_[row(source.stage, source.kind, source.chunk, micro_batch)];
  }

 private:
  std::size_t row(std::int64_t stage, PassKind kind, std::int64_t chunk,
                  std::int32_t micro_batch) const {
    const std::size_t way = kind == PassKind::forward ? 0 : 1;
    return ((static_cast<std::size_t>(stage) * 2 + way) * chunks_ +
            static_cast<std::size_t>(chunk)) *
               micro_batches_ +
           static_cast<std::size_t>(micro_batch);
  }

  std::vector<std::int32_t> numbers_;
  std::size_t chunks_ = 1;
  std::size_t micro_batches_ = 1;
};

/// The passes of every stage, each stage's in order. Micro-batches are numbered chunk by chunk.
class StageQueues {
 public:
  void clear(std::int64_t stages) {
    if (queues_.size() < static_cast<std::size_t>(stages)) {
      queues_.resize(static_cast<std::size_t>(stages));
    }
    for (auto& queue : queues_) queue.clear();
  }
  void add(std::int64_t stage, const PipelinePass& pass) {
    queues_[static_cast<std::size_t>(stage)].push_back(pass);
  }
  std::span<const PipelinePass> of(std::int64_t stage) const {
    return queues_[static_cast<std::size_t>(stage)];
  }

 private:
  std::vector<std::vector<PipelinePass>> queues_;
};

}  // namespace cubicbench::sim
