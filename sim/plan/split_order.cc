#include "sim/plan/split_order.h"

#include "sim/base/check.h"
#include "sim/plan/dualpipe_order.h"
#include "sim/plan/zero_bubble_order.h"

namespace cubicbench::sim {

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
    default:
      write_dualpipe(shape, queues_);
      break;
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

std::span<const SequencedPass> SplitOrders::of(const SplitShape& shape) {
  // A shape has one place, so that buffers stop growing when all have been there once. Numbers that
  // differ in low bits are spread by multiplication (2^64 over the golden ratio).
  const auto key = static_cast<std::uint64_t>((shape.stages << 32) + (shape.micro_batches << 4)) +
                   static_cast<std::uint64_t>(shape.schedule);
  Slot& slot = slots_[key * 0x9e37'79b9'7f4a'7c15 >> 58];
  if (!(slot.shape == shape)) {
    slot.shape = shape;
    writer_.write(shape, slot.sequence);
  }
  return slot.sequence;
}

}  // namespace cubicbench::sim
