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

/// A stage's numbers: times of its passes by kind_of_pass, of pairs by the chunk of their forward
/// pass, and where it stands.
enum Column : std::size_t {
  of_each_pass = 0,
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
  columns = 32,  ///< so that rows are found by a shift
};
constexpr Seconds not_begun{-1.0};

constexpr std::size_t of_pass(PassKind kind, std::size_t chunk) {
  return of_each_pass + kind_of_pass(kind, chunk);
}

Seconds slot_of(const PipelineStage& stage) { return stage.forward + stage.backward; }

/// Of `slots`, how many rounds of `length` they fill.
double full_rounds(double slots, double length) {
  return static_cast<double>(static_cast<std::int64_t>(slots / length));
}

}  // namespace

/// The stages of a run that is being added.
PipelineTime::Turn PipelineTime::turn_of(const Run& run) const {
  return {.last = run,
          .stages = run.stages,
          .behind = behind_,
          .through = run.stages * run.slot + (2.0 * (run.stages - 1.0)) * hop_,
          .below = sum_ + (2.0 * behind_) * hop_,
          .forward = run.forward,
          .backward = run.backward,
          .slot = run.slot + run.after,
          .after = run.after};
}

/// Those and the run behind them.
PipelineTime::Turn PipelineTime::wider(const Turn& turn) const {
  const double behind = behind_ - next_.stages;
  const Seconds next = next_.stages * next_.slot + (2.0 * next_.stages) * hop_;
  return {.last = next_,
          .stages = turn.stages + next_.stages,
          .behind = behind,
          .through = turn.through + next,
          .below = turn.below - next,
          .forward = max(turn.forward, next_.forward),
          .backward = max(turn.backward, next_.backward),
          .slot = max(turn.slot, next_.slot + next_.after),
          .after = turn.after};
}

/// `slots` slots of which each takes `slot`, or once as many as `run` has stages go up and down it.
Seconds PipelineTime::climbing(const Run& run, double slots, Seconds slot) const {
  const double climbed = std::min(slots, run.stages);
  if (climbed < 2.0) return slots * slot;
  const Seconds climb = climbed * run.slot + (2.0 * (climbed - 1.0)) * hop_ + run.after;
  return max(slots * slot, climb + (slots - climbed) * slot);
}

/// The longest path that leaves a turn's stages for those behind them twice at most: for the first
/// backward pass and behind the last forward pass.
Seconds PipelineTime::stays_in(const Turn& turn) const {
  const double between = m_ - 1.0 - turn.behind;
  if (between <= 0.0) {  // all forward passes come before the first backward pass
    const Seconds waits = (m_ - 1.0) * max(turn.forward, turn.backward);
    return turn.through + max(turn.below + waits, (m_ - 1.0) * (turn.forward + turn.backward));
  }
  Seconds middle = climbing(turn.last, between, turn.last.slot + turn.last.after);
  const auto make = [&](double rounds) {
    const double rest = between - rounds * turn.stages;
    middle =
        max(middle, rounds * (turn.through + turn.after) + climbing(turn.last, rest, turn.slot));
  };
  const double most = turn.stages > 1.0 ? full_rounds(between, turn.stages) : 0.0;
  if (most >= 1.0) make(most);
  if (most >= 2.0) make(1.0);
  return turn.through + max(turn.below, turn.behind * turn.forward) +
         max(turn.below, turn.behind * turn.backward) + middle;
}

/// The longest path of trips from a turn's first stage to the last one of all and back.
Seconds PipelineTime::goes_through(const Turn& turn) const {
  const double stages = turn.stages + turn.behind;
  const Seconds trip = turn.through + turn.below;
  // On one trip there are forward passes alone before it, or backward passes behind it.
  Seconds longest = trip + (m_ - 1.0) * max(forward_max_, backward_max_);
  const double slots = m_ + stages - 1.0;
  const auto make = [&](double trips) {
    const double left = slots - trips * stages;
    Seconds rest = climbing(widest_, left, slot_max_);
    if (left >= turn.stages) {
      const Seconds others = climbing(widest_, left - turn.stages, slot_max_);
      rest = max(rest, turn.through + turn.after + others);
    }
    longest = max(longest, trips * trip + (trips - 1.0) * turn.after + rest);
  };
  const double most = full_rounds(slots, stages);
  if (most >= 2.0) make(most);
  if (most >= 3.0) make(2.0);
  return longest;
}

/// 1F1B: the longest path from the first of these stages on.
void PipelineTime::add_turns(const PipelineStage& stage) {
  const Run run{.stages = stage.stages,
                .slot = slot_of(stage),
                .forward = stage.forward,
                .backward = stage.backward + stage.after,
                .after = stage.after};
  if (p_ == 1.0) {
    longest_ = m_ * run.slot + (m_ - 1.0) * run.after;
    return;
  }
  slot_max_ = max(slot_max_, run.slot + run.after);
  if (behind_ == 0.0 || run.stages > widest_.stages) widest_ = run;
  longest_ += run.stages * (run.slot + 2.0 * hop_);
  const Turn turn = turn_of(run);
  longest_ = max(longest_, stays_in(turn));
  if (behind_ > 0.0) {
    const Turn two_runs = wider(turn);
    longest_ = max(longest_, max(stays_in(two_runs), goes_through(two_runs)));
  } else if (run.stages > 1.0) {
    longest_ = max(longest_, goes_through(turn));
  }
  next_ = run;
}

/// The path that stays with the last of these stages, from the first of them on. A trip from there
/// to the last stage and back is made instead of two forward passes a stage, and again with each p
/// micro-batches where that stage's last chunk takes so long that it is worth it.
PipelineTime::Held PipelineTime::in_rounds(const PipelineStage& stage) const {
  const Seconds slot = slot_of(stage);
  const Seconds even = stage.even_forward + stage.even_backward;
  // The first stage has its first chunk while the last one has its last chunk.
  const Seconds beside = is_first(stage) ? max(even, stage.first_chunk) : even;
  const Seconds longer = behind_ > 0.0 ? positive(last_chunk_ - beside) : Seconds{};
  const Seconds below = last_chunks_ + (2.0 * behind_) * hop_;
  Seconds trip = below + (p_ - 1.0) * longer - (2.0 * behind_) * stage.even_forward;
  // Of one group nothing is left to do meanwhile.
  if (m_ == p_) trip = max(trip, below + (p_ - 1.0) * (last_chunk_ - even));
  const Seconds again = positive(p_ * longer - behind_ * (even - 2.0 * hop_));
  const Seconds path = (stage.stages - 1.0) * (slot / v_ + 2.0 * hop_) + m_ * slot +
                       (m_ - 1.0) * stage.after + (behind_ > 0.0 ? positive(trip) : Seconds{}) +
                       (m_ / p_ - 1.0) * again;
  return {.path = path,
          .even = even,
          .above = p_ - behind_ - stage.stages,
          .worth = behind_ > 0.0 ? again : p_ * positive(last_chunk_ - even)};
}

/// What the path gains that waits for all p micro-batches of a group at the first stage, where its
/// first chunk takes longer: for the first ones it waits anyway, and behind the last ones; in
/// between it makes a trip there in place of the one to the last stage.
Seconds PipelineTime::at_first(const PipelineStage& first) const {
  const Seconds longer = positive(first.first_chunk - held_.even);
  const Seconds trip = p_ * longer - held_.above * (held_.even - 2.0 * hop_) - held_.worth;
  return (p_ - 1.0) * longer + std::max(m_ / p_ - 2.0, 0.0) * positive(trip);
}

bool PipelineTime::is_first(const PipelineStage& stage) const {
  return behind_ + stage.stages == p_;
}

void PipelineTime::add_in_rounds(const PipelineStage& stage) {
  if (behind_ == 0.0) last_chunk_ = stage.last_chunk;
  const Held held = in_rounds(stage);
  held_.path += stage.stages * (stage.first_chunk + 2.0 * hop_);
  if (is_first(stage) && behind_ > 0.0) held_.path += at_first(stage);
  if (held.path > held_.path) held_ = held;
  forwards_ += stage.stages * stage.even_forward;
  backwards_ += stage.stages * stage.even_backward;
  even_forward_max_ = max(even_forward_max_, stage.even_forward);
  even_backward_max_ = max(even_backward_max_, stage.even_backward);
  last_chunks_ += stage.stages * stage.last_chunk;
}

void PipelineTime::add_before(const PipelineStage& stage) {
  forward_max_ = max(forward_max_, stage.forward);
  backward_max_ = max(backward_max_, stage.backward + stage.after);
  if (goes_in_rounds(schedule_)) {
    add_in_rounds(stage);
  } else if (!traits(schedule_).forward_first) {
    add_turns(stage);
  }
  const double passes = stage.stages / v_;
  begin_ = max(begin_ - passes * stage.forward, stage.begin);
  end_ = max(end_ - passes * (stage.backward + stage.last), stage.after + stage.end);
  drains_ += stage.stages * stage.last;
  followed_max_ = max(followed_max_, stage.followed);
  stays_max_ = max(stays_max_, stage.last / v_ + stage.between);
  behind_ += stage.stages;
  sum_ += stage.stages * slot_of(stage);
}

/// What a micro-batch takes longer through all stages, from chunk to chunk, than the slowest stage
/// takes for a chunk of p micro-batches: the first one forward, the last one backward.
Seconds PipelineTime::wraps() const {
  const Seconds forward = positive(forwards_ - p_ * even_forward_max_ + p_ * hop_);
  const Seconds backward = backwards_ - p_ * even_backward_max_ + p_ * hop_;
  return (v_ - 1.0) * (forward + max(backward + max(drains_ / v_, followed_max_), stays_max_));
}

Seconds PipelineTime::paced() const {
  switch (schedule_) {
    case Schedule::gpipe:
      return sum_ + (m_ - 1.0) * (forward_max_ + backward_max_) + (2.0 * (p_ - 1.0)) * hop_;
    case Schedule::interleaved:
      return held_.path + wraps();
    default:
      return longest_;
  }
}

Seconds PipelineTime::total() const { return paced() + begin_ + drains_ / v_ + end_; }

SplitTime::SplitTime(const SplitShape& shape, Seconds hop, SplitRoom& room)
    : shape_(shape),
      played_(played_part(shape)),
      hop_(hop),
      last_(room.last),
      order_(room.orders.of(played_)),
      again_(last_.is_over && last_.shape == played_ && last_.hop == hop) {
  const std::size_t numbers = static_cast<std::size_t>(shape.stages) * columns;
  const std::size_t ends = order_.passes.size() + 1;
  if (room.times.size() < numbers + ends) room.times.resize(numbers + ends);
  rows_ = std::span(room.times).first(numbers);
  ends_ = std::span(room.times).subspan(numbers, ends);
  last_.is_over = false;
}

Seconds* SplitTime::row(std::size_t stage) const { return rows_.data() + stage * columns; }

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
  Seconds* const numbers = row(static_cast<std::size_t>(stage));
  again_ = again_ && std::ranges::equal(inputs, std::span(numbers, played_inputs));
  if (!again_) std::ranges::copy(inputs, numbers);
  numbers[beside] = times.beside;
  numbers[end] = times.end;
}

/// Plays the passes from pass `first` on, counted from 0, up to one that is marked, as most are
/// not. Returns that. On plain numbers, whose maximum takes compilers one instruction.
std::size_t SplitTime::play_plain(std::size_t first) {
  const std::span<const PlayedPass> passes = order_.passes;
  Seconds* const rows = rows_.data();
  Seconds* const ends = ends_.data();
  const double hop = hop_.value;
  std::size_t i = first;
  for (; i < passes.size() && passes[i].marks == 0; ++i) {
    const PlayedPass pass = passes[i];
    Seconds* const numbers = rows + columns * pass.stage;
    const double begins = std::max(numbers[clock].value, ends[pass.after].value + hop);
    numbers[clock] = ends[i + 1] = Seconds{begins} + numbers[of_each_pass + pass.kind];
  }
  return i;
}

/// Plays pass `first`, counted from 0, that is no plain one, and what is beside it. Returns the one
/// after them.
std::size_t SplitTime::play(std::size_t first) {
  const PlayedPass& pass = order_.passes[first];
  Seconds* const numbers = row(pass.stage);
  Seconds arrived = ends_[pass.after] + hop_;
  Seconds takes = numbers[of_each_pass + pass.kind];
  const std::size_t chunk = pass.kind % 2;
  std::size_t behind = first + 1;
  const bool beside_next = (pass.marks & pass_marks::beside_next) != 0;
  if (beside_next && numbers[pair + chunk] > Seconds{}) {
    arrived = max(arrived, ends_[order_.passes[behind++].after] + hop_);
    takes = numbers[pair + chunk];
  }
  if ((pass.marks & pass_marks::first) != 0)
    numbers[lead] = max(arrived - numbers[clock], Seconds{});
  numbers[clock] = max(numbers[clock], arrived);
  if ((order_.passes[behind - 1].marks & pass_marks::last) != 0) {
    takes += numbers[last];
    if (numbers[reduces] == not_begun) numbers[reduces] = numbers[clock];
  }
  numbers[clock] += takes;
  for (std::size_t i = first; i < behind; ++i) ends_[i + 1] = numbers[clock];
  return behind;
}

void SplitTime::play_all() {
  for (std::size_t stage = 0; stage < static_cast<std::size_t>(shape_.stages); ++stage) {
    Seconds* const numbers = row(stage);
    numbers[clock] = numbers[begin];
    numbers[lead] = numbers[reduces] = not_begun;
  }
  ends_[0] = -hop_;  // so that what waits for no message can begin at 0
  const std::size_t count = order_.passes.size();
  for (std::size_t i = 0; i < count;) i = order_.passes[i].marks == 0 ? play_plain(i) : play(i);
  last_.shape = played_;
  last_.hop = hop_;
}

Seconds SplitTime::total() {
  if (!again_) play_all();
  last_.is_over = true;
  Seconds longest;
  for (std::int64_t stage = 0; stage < shape_.stages; ++stage) {
    const Seconds* const numbers = row(static_cast<std::size_t>(stage));
    const Seconds over = max(numbers[clock], numbers[reduces] + numbers[beside]) + numbers[end];
    longest = max(longest, traits(shape_.schedule).steps_overlap ? over - numbers[lead] : over);
  }
  const std::int64_t more = shape_.micro_batches - played_.micro_batches;
  if (more == 0) return longest;
  const std::int64_t micro_batches = played_.micro_batches - 1 - 4 * shape_.stages;
  const Seconds steady =
      (ends_[order_.pace_to] - ends_[order_.pace_from]) / static_cast<double>(micro_batches);
  return longest + static_cast<double>(more) * max(steady, slot_max_);
}

}  // namespace cubicbench::sim
