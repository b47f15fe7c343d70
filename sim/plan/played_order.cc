#include "sim/plan/played_order.h"

#include "sim/base/check.h"

namespace cubicbench::sim {
namespace {

/// Passes of all orders that are kept, 8 bytes each; the most that a shape has count beside them.
constexpr std::size_t passes_max = std::size_t{1} << 22;

/// Whether gradients of weights are complete behind it.
constexpr bool has_weights(PassKind kind) {
  return kind == PassKind::backward || kind == PassKind::backward_weights;
}

std::uint64_t key_of(const SplitShape& shape) {
  const auto stages = static_cast<std::uint64_t>(shape.stages);
  const auto micro_batches = static_cast<std::uint64_t>(shape.micro_batches);
  SIM_ASSERT(stages < 1U << 16 && micro_batches >> 44 == 0, stages, micro_batches);
  return stages << 48 | micro_batches << 4 | static_cast<std::uint64_t>(shape.schedule);
}

std::uint8_t marks_of(const SplitShape& shape, const PipelinePass& pass, bool is_first) {
  const bool is_last = pass.micro_batch + 1 == shape.micro_batches && has_weights(pass.kind);
  return static_cast<std::uint8_t>((is_first ? pass_marks::first : 0) |
                                   (is_last ? pass_marks::last : 0) |
                                   (pass.beside_next ? pass_marks::beside_next : 0));
}

/// Where the pace is seen, the first stage's last chunk, a forward pass.
bool shows_pace(const SplitShape& shape, const SequencedPass& one) {
  return one.stage == 0 && one.pass.kind == PassKind::forward &&
         one.pass.chunk + 1 == shape.chunks();
}

}  // namespace

const PlayedOrder& PlayedOrders::of(const SplitShape& shape) {
  const std::uint64_t key = key_of(shape);
  if (const auto found = orders_.find(key); found != orders_.end()) return found->second;
  if (passes_ > passes_max) {
    orders_.clear();
    passes_ = 0;
  }
  PlayedOrder& order = orders_[key];
  write(shape, order);
  passes_ += order.passes.size();
  return order;
}

void PlayedOrders::write(const SplitShape& shape, PlayedOrder& order) {
  writer_.write(shape, sequence_);
  order.passes.reserve(sequence_.size());
  has_begun_.assign(static_cast<std::size_t>(shape.stages), false);
  const std::int64_t fills = 2 * shape.stages;
  for (const SequencedPass& one : sequence_) {
    const auto& [pass, stage, after, receives] = one;
    const auto place = static_cast<std::size_t>(stage);
    // What is handed over on a device is of a pass before this one on its stage.
    order.passes.push_back({.after = receives ? static_cast<std::uint32_t>(after) + 1 : 0,
                            .stage = static_cast<std::uint16_t>(stage),
                            .kind = static_cast<std::uint8_t>(
                                kind_of_pass(pass.kind, static_cast<std::size_t>(pass.chunk))),
                            .marks = marks_of(shape, pass, !has_begun_[place])});
    has_begun_[place] = true;
    if (!shows_pace(shape, one)) continue;
    if (pass.micro_batch == fills) order.pace_from = order.passes.size();
    if (pass.micro_batch == shape.micro_batches - 1 - fills) order.pace_to = order.passes.size();
  }
}

}  // namespace cubicbench::sim
