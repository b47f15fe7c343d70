#include "sim/plan/dualpipe_order.h"

#include <array>
#include <cstddef>
#include <span>

namespace cubicbench::sim {
namespace {

/// What one stage does.
class DualPipeStage {
 public:
  DualPipeStage(const SplitShape& shape, std::int64_t stage, StageQueues& queues)
      : n_(shape.micro_batches),
        behind_(shape.stages - stage - 1),
        stage_(stage),
        queues_(queues) {}

  void write() {
    for (std::int64_t k = 0; k < 2 * behind_; ++k) forward(0);
    for (std::int64_t k = 0; k <= stage_; ++k) {
      forward(0);
      forward(1);
    }
    for (std::int64_t k = 0; k < behind_; ++k) {
      backward_input(1);
      weights();
      forward(1);
    }
    main_part();
    for (std::int64_t k = 0; k < behind_; ++k) {
      backward(1);
      forward(1, true);
      backward(0);
    }
    last_backward();
    for (std::int64_t k = 0; k < behind_; ++k) {
      weights();
      backward_input(0);
    }
    while (due_ < inputs_) weights();
  }

 private:
  void main_part() {
    const std::int64_t rounds = n_ - 2 * (behind_ + stage_ + 1) + stage_ + 1;
    for (std::int64_t k = 0; k < rounds; ++k) {
      // Where the model turns, the first forward pass goes on at once.
      forward(0, k > 0 || behind_ > 0);
      backward(1);
      forward(1, true);
      backward(0);
    }
  }

  /// Gradients of weights are put off from the middle on: they fill what waits at the end.
  void last_backward() {
    const std::int64_t passes = 2 * (stage_ + 1);
    for (std::int64_t k = 0; k < passes; ++k) {
      const std::int64_t chunk = k % 2 == 0 ? 1 : 0;
      k > stage_ ? backward_input(chunk) : backward(chunk);
    }
  }

  void forward(std::int64_t chunk, bool beside_next = false) {
    add(PassKind::forward, chunk, forwards_[slot(chunk)]++, beside_next);
  }
  void backward(std::int64_t chunk) { add(PassKind::backward, chunk, backwards_[slot(chunk)]++); }
  void backward_input(std::int64_t chunk) {
    ++inputs_;
    add(PassKind::backward_input, chunk, backwards_[slot(chunk)]++);
  }
  /// Of the oldest pass that has none yet.
  void weights() {
    const std::span<const PipelinePass> written = queues_.of(stage_);
    while (written[row_].kind != PassKind::backward_input) ++row_;
    const PipelinePass of = written[row_++];
    ++due_;
    add(PassKind::backward_weights, of.chunk, of.micro_batch);
  }

  void add(PassKind kind, std::int64_t chunk, std::int64_t micro_batch, bool beside_next = false) {
    queues_.add(stage_, {.kind = kind,
                         .beside_next = beside_next,
                         .micro_batch = static_cast<std::int32_t>(micro_batch),
                         .chunk = static_cast<std::int32_t>(chunk)});
  }

  static std::size_t slot(std::int64_t chunk) { return static_cast<std::size_t>(chunk); }

  std::int64_t n_;
  std::int64_t behind_;  ///< stages
  std::int64_t stage_;
  StageQueues& queues_;
  std::array<std::int64_t, 2> forwards_{};  ///< micro-batches, by chunk
  std::array<std::int64_t, 2> backwards_{};
  std::int64_t inputs_ = 0;  ///< backward passes whose weights' gradients are put off
  std::int64_t due_ = 0;     ///< of them, those that have been caught up with
  std::size_t row_ = 0;      ///< behind the last of these in the queue
};

}  // namespace

void write_dualpipe(const SplitShape& shape, StageQueues& queues) {
  for (std::int64_t i = 0; i < shape.stages; ++i) DualPipeStage(shape, i, queues).write();
}

}  // namespace cubicbench::sim
