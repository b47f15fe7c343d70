#include "sim/plan/v_order.h"

#include <algorithm>
#include <span>

#include "sim/base/check.h"

namespace cubicbench::sim {
namespace {

/// Writes the passes of one stage, leaving out micro-batches that are not there.
class StageWriter {
 public:
  StageWriter(const SplitShape& shape, std::int64_t stage, StageQueues& queues)
      : p_(shape.stages),
        n_(shape.micro_batches),
        stage_(stage),
        behind_(shape.stages - stage - 1),
        queues_(queues) {}

 protected:
  using Counts = std::array<std::int64_t, 2>;  ///< of micro-batches, by chunk

  void forward(std::size_t chunk, bool beside_next = false) {
    add(PassKind::forward, chunk, forwards_, beside_next);
  }
  void backward_input(std::size_t chunk) { add(PassKind::backward_input, chunk, backwards_); }

  void add(PassKind kind, std::size_t chunk, Counts& counts, bool beside_next = false) {
    const std::int64_t micro_batch = counts[chunk]++;
    if (micro_batch >= n_) return;
    queues_.add(stage_, {.kind = kind,
                         .beside_next = beside_next,
                         .micro_batch = static_cast<std::int32_t>(micro_batch),
                         .chunk = static_cast<std::int32_t>(chunk)});
  }

  std::int64_t p_;
  std::int64_t n_;
  std::int64_t stage_;
  std::int64_t behind_;  ///< stages
  StageQueues& queues_;
  Counts forwards_{};
  Counts backwards_{};
};

class ZbvStage : StageWriter {
 public:
  using StageWriter::StageWriter;

  void write() {
    // What is not there takes part in the pattern: a pipeline is full with 2 p - 1 micro-batches.
    const std::int64_t full = std::max(2 * p_ - 1, n_);
    for (std::int64_t k = 0; k <= 2 * behind_; ++k) forward(0);
    for (std::int64_t k = 0; k < stage_; ++k) {
      forward(1);
      forward(0);
    }
    for (std::int64_t k = 0; k <= behind_; ++k) {
      forward(1);
      backward_input(1);
      weights(1);
    }
    while (forwards_[1] < forwards_[0] || forwards_[0] < full) {
      if (forwards_[0] < full) forward(0);
      backward_input(0);
      weights(0);
      forward(1);
      backward_input(1);
      weights(1);
    }
    for (std::int64_t k = 0; k < stage_; ++k) {
      backward_input(0);
      backward_input(1);
    }
    for (std::int64_t k = 0; k <= behind_; ++k) {
      backward_input(0);
      weights(0);
    }
    while (weights_[1] < backwards_[1]) weights(1);
    while (weights_[0] < backwards_[0]) weights(0);
  }

 private:
  void weights(std::size_t chunk) { add(PassKind::backward_weights, chunk, weights_); }

  Counts weights_{};
};

constexpr std::int64_t period = 6;  // passes of a micro-batch through a stage
constexpr std::size_t pattern_size = 4;

/// Passes of a building block but those for weights, which take what is left.
constexpr std::array<PipelinePass, pattern_size> pattern{
    {{.kind = PassKind::forward, .chunk = 0},
     {.kind = PassKind::forward, .chunk = 1},
     {.kind = PassKind::backward_input, .chunk = 1},
     {.kind = PassKind::backward_input, .chunk = 0}}};

/// When they come on stage `i`: distances between stages and at the turns that let blocks repeat
/// every `period` without a collision.
std::array<std::int64_t, pattern_size> building_block(Schedule schedule, std::int64_t p,
                                                      std::int64_t i) {
  if (schedule == Schedule::v_min) {
    const std::int64_t gap = p % 3 == 0 ? 2 : 0;
    return {i, 2 * p - i - 1, 2 * p + gap + i, 4 * p + gap - i - 1};
  }
  const std::int64_t gap = p % 2 == 0 ? 3 : 0;
  return {2 * i, 3 * p - i - 2, 3 * p + gap + 2 * i - 1, 6 * p + gap - i - 2};
}

class DualPipeStage : StageWriter {
 public:
  using StageWriter::StageWriter;

  void write() {
    for (std::int64_t k = 0; k < 2 * behind_; ++k) forward(0);
    for (std::int64_t k = 0; k <= stage_; ++k) {
      forward(0);
      forward(1);
    }
    for (std::int64_t k = 0; k < behind_; ++k) {
      put_off_weights(1);
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
      put_off_weights(0);
    }
    while (due_ > 0) weights();
  }

 private:
  void main_part() {
    const std::int64_t rounds = n_ - 2 * p_ + stage_ + 1;
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
      const std::size_t chunk = k % 2 == 0 ? 1 : 0;
      k > stage_ ? put_off_weights(chunk) : backward(chunk);
    }
  }

  void backward(std::size_t chunk) { add(PassKind::backward, chunk, backwards_); }
  void put_off_weights(std::size_t chunk) {
    ++due_;
    backward_input(chunk);
  }
  /// Of the oldest pass that has none yet.
  void weights() {
    const std::span<const PipelinePass> written = queues_.of(stage_);
    while (written[row_].kind != PassKind::backward_input) ++row_;
    PipelinePass pass = written[row_++];
    pass.kind = PassKind::backward_weights;
    queues_.add(stage_, pass);
    --due_;
  }

  std::int64_t due_ = 0;  ///< backward passes whose weights' gradients are put off
  std::size_t row_ = 0;   ///< behind the last one that has them, in the queue
};

}  // namespace

void write_zb_v(const SplitShape& shape, StageQueues& queues) {
  for (std::int64_t i = 0; i < shape.stages; ++i) ZbvStage(shape, i, queues).write();
}

/// One unit of time on one stage.
void VPatternOrder::step(const SplitShape& shape, std::int64_t stage, std::int32_t now,
                         StageQueues& queues) {
  Stage& state = stages_[static_cast<std::size_t>(stage)];
  std::size_t next = pattern_size;
  for (std::size_t kind = 0; kind < pattern_size; ++kind) {
    if (state.written[kind] == shape.micro_batches) continue;
    if (next == pattern_size || state.due[kind] < state.due[next]) next = kind;
  }
  if (next < pattern_size) {
    PipelinePass pass = pattern[next];
    pass.micro_batch = state.written[next];
    const bool forward = pass.kind == PassKind::forward;
    const PassSource source = source_of(shape, stage, pass);
    const std::int32_t ready = source ? ends_.of(source, pass.micro_batch) : 0;
    const bool is_there = ready != PassTable::none && ready <= now;
    if (is_there && (!forward || state.kept < v_kept_max(shape.schedule, shape.stages))) {
      queues.add(stage, pass);
      ends_.set(stage, pass, now + 1);
      ++state.written[next];
      state.due[next] += period;
      ++(forward ? state.kept : state.weights_due);
      return;
    }
  }
  if (state.weights_due == 0) return;
  const std::span<const PipelinePass> written = queues.of(stage);
  while (written[state.row].kind != PassKind::backward_input) ++state.row;
  PipelinePass pass = written[state.row++];
  pass.kind = PassKind::backward_weights;
  queues.add(stage, pass);
  --state.weights_due;
  --state.kept;
}

void VPatternOrder::write(const SplitShape& shape, StageQueues& queues) {
  const std::int64_t p = shape.stages;
  stages_.assign(static_cast<std::size_t>(p), {});
  ends_.clear(shape);
  for (std::int64_t i = 0; i < p; ++i) {
    stages_[static_cast<std::size_t>(i)].due = building_block(shape.schedule, p, i);
  }
  const auto passes = static_cast<std::size_t>(period * shape.micro_batches);
  for (std::int32_t now = 0;; ++now) {
    bool over = true;
    for (std::int64_t i = 0; i < p; ++i) {
      step(shape, i, now, queues);
      over = over && queues.of(i).size() == passes;
    }
    if (over) return;
    SIM_ASSERT(now < 2 * period * (shape.micro_batches + 2 * p), now);
  }
}

void write_dualpipe(const SplitShape& shape, StageQueues& queues) {
  for (std::int64_t i = 0; i < shape.stages; ++i) DualPipeStage(shape, i, queues).write();
}

}  // namespace cubicbench::sim
