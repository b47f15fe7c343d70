#include "sim/engine/pipeline_time.h"

#include <algorithm>
#include <cmath>

namespace cubicbench::sim {
namespace {

/// Micro-batches that fill and drain the pipeline, and some in between to see their pace.
SplitShape played_part(SplitShape shape) {
  shape.micro_batches = std::min(shape.micro_batches, 4 * shape.stages + 32);
  return shape;
}

/// A stage's numbers: times of its passes by kind and chunk, of pairs, and where it stands.
enum Column : std::size_t {
  of_passes = 0,  ///< two chunks of each kind, in the order of PassKind
  pair = 8,
  begin = 10,
  last = 11,  ///< of the last micro-batch, each chunk
  played_inputs = 12,
  // What comes behind the passes:
  beside = 12,
  end = 13,
  // Where they leave the stage:
  clock = 14,    ///< end of the pass played last
  lead = 15,     ///< that it waited before the first one
  reduces = 16,  ///< when `beside` begins
  columns = 17,
};
constexpr Seconds not_begun{-1.0};

constexpr std::size_t of_pass(PassKind kind, std::size_t chunk) {
  return of_passes + 2 * static_cast<std::size_t>(kind) + chunk;
}

/// Whether gradients of weights are complete behind it.
constexpr bool has_weights(PassKind kind) {
  return kind == PassKind::backward || kind == PassKind::backward_weights;
}

}  // namespace

/// The path that stays with the last of these stages, from the first of them on.
Seconds PipelineTime::one_stage_paces(const PipelineStage& stage) const {
  if (goes_in_rounds(schedule_)) return one_stage_paces_chunks(stage);
  const Seconds slot = stage.forward + stage.backward;
  const double n = std::min(m_, behind_ + 1.0);
  const Seconds down = positive(sum_ - (n - 1.0) * stage.forward);
  const Seconds up = positive(sum_ - (n - 1.0) * (stage.backward + stage.after));
  const Seconds trips = m_ > n ? down + up : max(down, up);
  // Between two passes it waits for what follows them, or goes through all stages that are alike.
  const double rounds = std::floor((m_ - 1.0) / stage.stages);
  const Seconds round = (2.0 * (stage.stages - 1.0)) * hop_ + stage.after;
  return (stage.stages - 1.0 + m_) * slot + max((m_ - 1.0) * stage.after, rounds * round) + trips;
}

/// A trip from the stage to the last one and back is made instead of two forward passes a stage.
Seconds PipelineTime::one_stage_paces_chunks(const PipelineStage& stage) const {
  const Seconds slot = stage.forward + stage.backward;
  const Seconds trip = last_chunks_ + (2.0 * behind_) * (hop_ - stage.even_forward);
  return (stage.stages - 1.0) * (slot / v_ + 2.0 * hop_) + m_ * slot + (m_ - 1.0) * stage.after +
         positive(trip);
}

void PipelineTime::add_before(const PipelineStage& stage) {
  const Seconds slot = stage.forward + stage.backward;
  const Seconds through = goes_in_rounds(schedule_) ? stage.first_chunk + 2.0 * hop_ : slot;
  longest_ = max(longest_ + stage.stages * through, one_stage_paces(stage));
  const double passes = stage.stages / v_;
  begin_ = max(begin_ - passes * stage.forward, stage.begin);
  end_ = max(end_ - passes * (stage.backward + stage.last), stage.after + stage.end);
  drains_ += stage.stages * stage.last;
  followed_max_ = max(followed_max_, stage.followed);
  stays_max_ = max(stays_max_, stage.last / v_ + stage.between);
  behind_ += stage.stages;
  sum_ += stage.stages * slot;
  forwards_ += stage.stages * stage.even_forward;
  backwards_ += stage.stages * stage.even_backward;
  even_forward_max_ = max(even_forward_max_, stage.even_forward);
  even_backward_max_ = max(even_backward_max_, stage.even_backward);
  last_chunks_ += stage.stages * stage.last_chunk;
  first_slot_ = slot + stage.after;
  forward_max_ = max(forward_max_, stage.forward);
  backward_max_ = max(backward_max_, stage.backward + stage.after);
}

/// What a micro-batch takes longer through all stages, from chunk to chunk, than the slowest stage
/// takes for a chunk of p micro-batches: the first one forward, the last one backward.
Seconds PipelineTime::wraps() const {
  const Seconds forward = positive(forwards_ - p_ * even_forward_max_ + p_ * hop_);
  const Seconds backward = backwards_ - p_ * even_backward_max_ + p_ * hop_;
  return (v_ - 1.0) * (forward + max(backward + max(drains_ / v_, followed_max_), stays_max_));
}

Seconds PipelineTime::paced() const {
  const Seconds hops = (2.0 * (p_ - 1.0)) * hop_;
  switch (schedule_) {
    case Schedule::gpipe:
      return sum_ + (m_ - 1.0) * (forward_max_ + backward_max_) + hops;
    case Schedule::interleaved:
      return longest_ + wraps();
    default:
      break;
  }
  const double trips = std::floor((m_ + p_ - 1.0) / p_);
  const double rest = m_ + p_ - 1.0 - trips * p_;
  return max(longest_ + hops, trips * (sum_ + hops) + rest * first_slot_);
}

Seconds PipelineTime::total() const { return paced() + begin_ + drains_ / v_ + end_; }

SplitTime::SplitTime(const SplitShape& shape, Seconds hop, SplitRoom& room)
    : shape_(shape),
      played_(played_part(shape)),
      hop_(hop),
      last_(room.last),
      again_(last_.is_over && last_.shape == played_ && last_.hop == hop),
      sequence_(room.orders.of(played_)) {
  const std::size_t numbers = static_cast<std::size_t>(shape.stages) * columns;
  const std::size_t needed = numbers + sequence_.size();
  if (room.times.size() < needed) room.times.resize(needed);
  rows_ = std::span(room.times).first(numbers);
  ends_ = std::span(room.times).subspan(numbers, sequence_.size());
  last_.is_over = false;
}

std::span<Seconds> SplitTime::row(std::int64_t stage) {
  return rows_.subspan(static_cast<std::size_t>(stage) * columns, columns);
}

void SplitTime::set(std::int64_t stage, const SplitStage& times) {
  const auto chunks = static_cast<std::size_t>(shape_.chunks());
  std::array<Seconds, played_inputs> inputs{};
  Seconds slot;
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    inputs[of_pass(PassKind::forward, chunk)] = times.forward[chunk];
    inputs[of_pass(PassKind::backward, chunk)] = times.backward[chunk] + times.whole[chunk];
    inputs[of_pass(PassKind::backward_input, chunk)] = times.backward[chunk];
    inputs[of_pass(PassKind::backward_weights, chunk)] = times.weights[chunk];
    inputs[pair + chunk] = times.pair[chunk];
    slot += times.forward[chunk] + times.backward[chunk] + times.weights[chunk];
  }
  inputs[begin] = times.begin;
  inputs[last] = times.last / static_cast<double>(chunks);
  // Pairs are most of what a stage does in the middle of a step.
  const bool pairs = times.pair[0] > Seconds{};
  slot_max_ = max(slot_max_, pairs ? min(slot, times.pair[0] + times.pair[1]) : slot);
  const std::span<Seconds> numbers = row(stage);
  again_ = again_ && std::ranges::equal(inputs, numbers.first(played_inputs));
  if (!again_) std::ranges::copy(inputs, numbers.begin());
  numbers[beside] = times.beside;
  numbers[end] = times.end;
}

Seconds SplitTime::arrival(const SequencedPass& pass) const {
  if (pass.after < 0) return {};
  const Seconds end = ends_[static_cast<std::size_t>(pass.after)];
  return pass.receives ? end + hop_ : end;
}

/// Whether it has the last gradients of its chunk's weights.
bool SplitTime::is_last(const SequencedPass& pass) const {
  return pass.pass.micro_batch + 1 == played_.micro_batches && has_weights(pass.pass.kind);
}

/// Plays the pass in row `first` of the sequence and the one beside it. Returns the row after them.
std::size_t SplitTime::play(std::size_t first) {
  const SequencedPass& pass = sequence_[first];
  const std::span<Seconds> numbers = row(pass.stage);
  const auto chunk = static_cast<std::size_t>(pass.pass.chunk);
  Seconds arrived = arrival(pass);
  Seconds takes;
  std::size_t behind = first + 1;
  if (pass.pass.beside_next && numbers[pair + chunk] > Seconds{}) {
    const SequencedPass& other = sequence_[behind++];
    arrived = max(arrived, arrival(other));
    takes = numbers[pair + chunk];
    if (other.pass.micro_batch + 1 == played_.micro_batches) takes += numbers[last];
  } else {
    takes = numbers[of_pass(pass.pass.kind, chunk)];
    if (is_last(pass)) takes += numbers[last];
  }
  if (numbers[lead] == not_begun) numbers[lead] = max(arrived - numbers[clock], Seconds{});
  numbers[clock] = max(numbers[clock], arrived);
  if (is_last(sequence_[behind - 1]) && numbers[reduces] == not_begun) {
    numbers[reduces] = numbers[clock];
  }
  numbers[clock] += takes;
  for (std::size_t i = first; i < behind; ++i) ends_[i] = numbers[clock];
  return behind;
}

/// The pace is that of forward passes through the first stage's last chunk.
void SplitTime::find_pace() {
  const std::int64_t fills = 2 * shape_.stages;
  for (std::size_t i = 0; i < sequence_.size(); ++i) {
    const SequencedPass& one = sequence_[i];
    if (one.stage != 0 || one.pass.kind != PassKind::forward ||
        one.pass.chunk + 1 != shape_.chunks()) {
      continue;
    }
    if (one.pass.micro_batch == fills) last_.pace_from = i;
    if (one.pass.micro_batch == played_.micro_batches - 1 - fills) last_.pace_to = i;
  }
}

void SplitTime::play_all() {
  for (std::int64_t stage = 0; stage < shape_.stages; ++stage) {
    const std::span<Seconds> numbers = row(stage);
    numbers[clock] = numbers[begin];
    numbers[lead] = numbers[reduces] = not_begun;
  }
  for (std::size_t i = 0; i < sequence_.size();) i = play(i);
  if (!(last_.shape == played_)) {
    last_.shape = played_;
    find_pace();
  }
  last_.hop = hop_;
}

Seconds SplitTime::total() {
  if (!again_) play_all();
  last_.is_over = true;
  Seconds longest;
  for (std::int64_t stage = 0; stage < shape_.stages; ++stage) {
    const std::span<const Seconds> numbers = row(stage);
    const Seconds over = max(numbers[clock], numbers[reduces] + numbers[beside]) + numbers[end];
    longest = max(longest, traits(shape_.schedule).steps_overlap ? over - numbers[lead] : over);
  }
  const std::int64_t more = shape_.micro_batches - played_.micro_batches;
  if (more == 0) return longest;
  const std::int64_t micro_batches = played_.micro_batches - 1 - 4 * shape_.stages;
  const Seconds steady =
      (ends_[last_.pace_to] - ends_[last_.pace_from]) / static_cast<double>(micro_batches);
  return longest + static_cast<double>(more) * max(steady, slot_max_);
}

}  // namespace cubicbench::sim
