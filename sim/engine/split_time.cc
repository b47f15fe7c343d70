#include "sim/engine/split_time.h"

#include <algorithm>

namespace cubicbench::sim {
namespace {

/// Micro-batches that fill and drain the pipeline, and some in between to see their pace.
SplitShape played_part(SplitShape shape) {
  shape.micro_batches = std::min(shape.micro_batches, 4 * shape.stages + 32);
  return shape;
}

/// A stage's numbers: times of its passes by kind and chunk, of pairs, and where it stands.
enum Column : std::size_t {
  forward = 0,
  backward = 2,
  weights = 4,
  whole = 6,
  pair = 8,
  begin = 10,
  last = 11,
  beside = 12,
  end = 13,
  clock = 14,    ///< end of the pass played last
  lead = 15,     ///< that it waited before the first one
  reduces = 16,  ///< when `beside` begins
  columns = 17,
};
constexpr Seconds not_begun{-1.0};

}  // namespace

SplitTime::SplitTime(const SplitShape& shape, Seconds hop, SplitRoom& room)
    : shape_(shape), played_(played_part(shape)), hop_(hop), sequence_(room.orders.of(played_)) {
  const std::size_t numbers = static_cast<std::size_t>(shape.stages) * columns;
  const std::size_t needed = numbers + sequence_.size();
  if (room.times.size() < needed) room.times.resize(needed);
  rows_ = std::span(room.times).first(numbers);
  ends_ = std::span(room.times).subspan(numbers, sequence_.size());
}

std::span<Seconds> SplitTime::row(std::int64_t stage) {
  return rows_.subspan(static_cast<std::size_t>(stage) * columns, columns);
}

void SplitTime::set(std::int64_t stage, const SplitStage& times) {
  const std::span<Seconds> numbers = row(stage);
  Seconds slot;
  for (std::size_t chunk = 0; chunk < static_cast<std::size_t>(shape_.chunks()); ++chunk) {
    numbers[forward + chunk] = times.forward[chunk];
    numbers[backward + chunk] = times.backward[chunk];
    numbers[weights + chunk] = times.weights[chunk];
    numbers[whole + chunk] = times.whole[chunk];
    numbers[pair + chunk] = times.pair[chunk];
    slot += times.forward[chunk] + times.backward[chunk] + times.weights[chunk];
  }
  // Pairs are most of what a stage does in the middle of a step.
  const bool pairs = times.pair[0] > Seconds{};
  slot_max_ = max(slot_max_, pairs ? min(slot, times.pair[0] + times.pair[1]) : slot);
  numbers[begin] = times.begin;
  numbers[last] = times.last;
  numbers[beside] = times.beside;
  numbers[end] = times.end;
  numbers[clock] = times.begin;
  numbers[lead] = not_begun;
  numbers[reduces] = not_begun;
}

Seconds SplitTime::arrival(const SequencedPass& pass) const {
  if (pass.after < 0) return {};
  const Seconds end = ends_[static_cast<std::size_t>(pass.after)];
  return pass.receives ? end + hop_ : end;
}

Seconds SplitTime::length(const SequencedPass& pass) {
  const std::span<const Seconds> numbers = row(pass.stage);
  const auto chunk = static_cast<std::size_t>(pass.pass.chunk);
  const Seconds late = pass.pass.micro_batch + 1 == played_.micro_batches
                           ? numbers[last] / static_cast<double>(shape_.chunks())
                           : Seconds{};
  switch (pass.pass.kind) {
    case PassKind::forward:
      return numbers[forward + chunk];
    case PassKind::backward:
      return numbers[backward + chunk] + numbers[whole + chunk] + late;
    case PassKind::backward_input:
      return numbers[backward + chunk];
    case PassKind::backward_weights:
      return numbers[weights + chunk] + late;
  }
  return {};
}

/// Whether a pass, or one of a pair, has the last gradients of its chunk's weights.
bool SplitTime::finishes(const SequencedPass& first, std::size_t passes) const {
  const SequencedPass& last_one = *(&first + (passes - 1));
  const PassKind kind = last_one.pass.kind;
  return (kind == PassKind::backward || kind == PassKind::backward_weights) &&
         last_one.pass.micro_batch + 1 == played_.micro_batches;
}

/// Plays the pass in row `first` of the sequence and the one beside it. Returns the row after them.
std::size_t SplitTime::play(std::size_t first) {
  const SequencedPass& pass = sequence_[first];
  const std::span<Seconds> numbers = row(pass.stage);
  Seconds arrived = arrival(pass);
  Seconds takes;
  std::size_t next = first + 1;
  const Seconds together = numbers[pair + static_cast<std::size_t>(pass.pass.chunk)];
  if (pass.pass.beside_next && together > Seconds{}) {
    const SequencedPass& other = sequence_[next++];
    arrived = max(arrived, arrival(other));
    takes = together;
    if (other.pass.micro_batch + 1 == played_.micro_batches) {
      takes += numbers[last] / static_cast<double>(shape_.chunks());
    }
  } else {
    takes = length(pass);
  }
  if (numbers[lead] == not_begun) numbers[lead] = max(arrived - numbers[clock], Seconds{});
  numbers[clock] = max(numbers[clock], arrived);
  if (numbers[reduces] == not_begun && finishes(pass, next - first)) {
    numbers[reduces] = numbers[clock];
  }
  numbers[clock] += takes;
  for (std::size_t i = first; i < next; ++i) ends_[i] = numbers[clock];
  return next;
}

/// Of a micro-batch between two numbers: forward passes through the first stage's last chunk.
Seconds SplitTime::steady_length(std::int64_t before, std::int64_t last_one) const {
  Seconds from;
  Seconds to;
  for (std::size_t i = 0; i < sequence_.size(); ++i) {
    const SequencedPass& one = sequence_[i];
    if (one.stage != 0 || one.pass.kind != PassKind::forward ||
        one.pass.chunk + 1 != shape_.chunks()) {
      continue;
    }
    if (one.pass.micro_batch == before) from = ends_[i];
    if (one.pass.micro_batch == last_one) to = ends_[i];
  }
  return (to - from) / static_cast<double>(last_one - before);
}

Seconds SplitTime::total() {
  for (std::size_t i = 0; i < sequence_.size();) i = play(i);
  Seconds longest;
  for (std::int64_t stage = 0; stage < shape_.stages; ++stage) {
    const std::span<const Seconds> numbers = row(stage);
    const Seconds over = max(numbers[clock], numbers[reduces] + numbers[beside]) + numbers[end];
    longest = max(longest, steps_overlap(shape_.schedule) ? over - numbers[lead] : over);
  }
  const std::int64_t more = shape_.micro_batches - played_.micro_batches;
  if (more == 0) return longest;
  const Seconds steady =
      steady_length(2 * shape_.stages, played_.micro_batches - 1 - 2 * shape_.stages);
  return longest + static_cast<double>(more) * max(steady, slot_max_);
}

}  // namespace cubicbench::sim
