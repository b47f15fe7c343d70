#include "sim/plan/v_order.h"

#include <algorithm>
#include <span>

#include "sim/base/check.h"

namespace cubicbench::sim {
namespace {

/// Writes the passes of one stage of ZB-V, leaving out micro-batches that are not there.
class ZbvStage {
 public:
  ZbvStage(const SplitShape& shape, std::int64_t stage, StageQueues& queues)
      : p_(shape.stages), n_(shape.micro_batches), stage_(stage), queues_(queues) {}

  void write() {
    // What is not there takes part in the pattern: a pipeline is full with 2 p - 1 micro-batches.
    const std::int64_t full = std::max(2 * p_ - 1, n_);
    const std::int64_t behind = p_ - stage_;
    for (std::int64_t k = 0; k < 2 * behind - 1; ++k) forward(0);
    for (std::int64_t k = 0; k < stage_; ++k) {
      forward(1);
      forward(0);
    }
    for (std::int64_t k = 0; k < behind; ++k) {
      forward(1);
      backward(1);
      weights(1);
    }
    while (forwards_[1] < forwards_[0] || forwards_[0] < full) {
      if (forwards_[0] < full) forward(0);
      backward(0);
      weights(0);
      forward(1);
      backward(1);
      weights(1);
    }
    for (std::int64_t k = 0; k < stage_; ++k) {
      backward(0);
      backward(1);
    }
    for (std::int64_t k = 0; k < behind; ++k) {
      backward(0);
      weights(0);
    }
    while (weights_[1] < backwards_[1]) weights(1);
    while (weights_[0] < backwards_[0]) weights(0);
  }

 private:
  using Counts = std::array<std::int64_t, 2>;  ///< by chunk

  void forward(std::size_t chunk) { add(PassKind::forward, chunk, forwards_); }
  void backward(std::size_t chunk) { add(PassKind::backward_input, chunk, backwards_); }
  void weights(std::size_t chunk) { add(PassKind::backward_weights, chunk, weights_); }

  void add(PassKind kind, std::size_t chunk, Counts& counts) {
    const std::int64_t micro_batch = counts[chunk]++;
    if (micro_batch >= n_) return;
    queues_.add(stage_, {.kind = kind,
                         .micro_batch = static_cast<std::int32_t>(micro_batch),
                         .chunk = static_cast<std::int32_t>(chunk)});
  }

  std::int64_t p_;
  std::int64_t n_;
  std::int64_t stage_;
  StageQueues& queues_;
  Counts forwards_{};
  Counts backwards_{};
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

}  // namespace cubicbench::sim
