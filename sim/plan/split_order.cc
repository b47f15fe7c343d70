#include "sim/plan/split_order.h"

#include <algorithm>
#include <span>

#include "sim/base/check.h"

namespace cubicbench::sim {
namespace {

/// ZB-H1 and ZB-H2 [ZeroBubble, section 2]: 1F1B whose weight gradients come d micro-batches late.
///
///   a = g (p - i - 1) forward passes; then in turn a forward pass, a backward pass and the weight
///   gradients of the micro-batch d = g i before it; g = 1 for ZB-H1, 2 for ZB-H2
///
/// So every stage keeps a + 1 + d micro-batches: p, or 2 p - 1.
void write_zero_bubble(const SplitShape& shape, StageQueues& queues) {
  const std::int64_t n = shape.micro_batches;
  const std::int64_t g = shape.schedule == Schedule::zb_h1 ? 1 : 2;
  for (std::int64_t i = 0; i < shape.stages; ++i) {
    const auto add = [&](PassKind kind, std::int64_t micro_batch) {
      queues.add(i, {.kind = kind, .micro_batch = static_cast<std::int32_t>(micro_batch)});
    };
    const std::int64_t ahead = std::min(n, g * (shape.stages - i - 1));
    const std::int64_t late = std::min(n, g * i);
    for (std::int64_t k = 0; k < ahead; ++k) add(PassKind::forward, k);
    for (std::int64_t k = 0; k < n; ++k) {
      if (k + ahead < n) add(PassKind::forward, k + ahead);
      add(PassKind::backward_input, k);
      if (k >= late) add(PassKind::backward_weights, k - late);
    }
    for (std::int64_t k = n - late; k < n; ++k) add(PassKind::backward_weights, k);
  }
}

}  // namespace

void SplitOrderWriter::write(const SplitShape& shape, std::vector<SequencedPass>& sequence) {
  queues_.clear(shape.stages);
  switch (shape.schedule) {
    case Schedule::zb_h1:
    case Schedule::zb_h2:
      write_zero_bubble(shape, queues_);
      break;
    case Schedule::zb_v:
      write_zb_v(shape, queues_);
      break;
    case Schedule::v_half:
    case Schedule::v_min:
      patterns_.write(shape, queues_);
      break;
    case Schedule::dualpipe:
    case Schedule::dualpipev:
      write_dualpipe(shape, queues_);
      break;
    case Schedule::gpipe:
    case Schedule::one_f_one_b:
    case Schedule::interleaved:
      SIM_ASSERT(splits_backward(shape.schedule), shape.schedule);
  }
  sequence.clear();
  rows_.clear(shape);
  heads_.assign(static_cast<std::size_t>(shape.stages), 0);
  for (bool moved = true; moved;) {
    moved = false;
    for (std::int64_t stage = 0; stage < shape.stages; ++stage) {
      while (advance(shape, stage, sequence)) moved = true;
    }
  }
  for (std::int64_t stage = 0; stage < shape.stages; ++stage) {
    const std::size_t head = heads_[static_cast<std::size_t>(stage)];
    SIM_ASSERT(head == queues_.of(stage).size(), stage, head);  // stages wait for each other
  }
}

bool SplitOrderWriter::is_ready(const SplitShape& shape, std::int64_t stage,
                                const PipelinePass& pass) const {
  const PassSource source = source_of(shape, stage, pass);
  return !source || rows_.of(source, pass.micro_batch) != PassTable::none;
}

void SplitOrderWriter::append(const SplitShape& shape, std::int64_t stage, const PipelinePass& pass,
                              std::vector<SequencedPass>& sequence) {
  const PassSource source = source_of(shape, stage, pass);
  if (pass.kind != PassKind::backward_weights) {
    rows_.set(stage, pass, static_cast<std::int32_t>(sequence.size()));
  }
  sequence.push_back({.pass = pass,
                      .stage = static_cast<std::int32_t>(stage),
                      .after = source ? rows_.of(source, pass.micro_batch) : -1,
                      .receives = source.sends});
}

/// Whether the stage's next pass, or pair of passes, is in the sequence now.
bool SplitOrderWriter::advance(const SplitShape& shape, std::int64_t stage,
                               std::vector<SequencedPass>& sequence) {
  const std::span<const PipelinePass> queue = queues_.of(stage);
  std::size_t& head = heads_[static_cast<std::size_t>(stage)];
  if (head == queue.size()) return false;
  const std::size_t together = queue[head].beside_next ? 2 : 1;
  for (std::size_t i = 0; i < together; ++i) {
    if (!is_ready(shape, stage, queue[head + i])) return false;
  }
  for (std::size_t i = 0; i < together; ++i) append(shape, stage, queue[head++], sequence);
  return true;
}

}  // namespace cubicbench::sim
