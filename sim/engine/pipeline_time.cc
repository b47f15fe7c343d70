#include "sim/engine/pipeline_time.h"

#include <algorithm>
#include <cmath>

namespace cubicbench::sim {
namespace {

Seconds positive(Seconds time) { return max(time, Seconds{}); }

}  // namespace

/// The path that stays with the last of these stages, from the first of them on.
Seconds PipelineTime::one_stage_paces(const PipelineStage& stage) const {
  if (schedule_ == Schedule::interleaved) return one_stage_paces_chunks(stage);
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
  const Seconds through =
      schedule_ == Schedule::interleaved ? stage.first_chunk + 2.0 * hop_ : slot;
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

}  // namespace cubicbench::sim
