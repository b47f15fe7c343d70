#include "sim/engine/pipeline_time.h"

#include <algorithm>
#include <cmath>

namespace cubicbench::sim {
namespace {

Seconds positive(Seconds time) { return max(time, Seconds{}); }

}  // namespace

/// The path that stays with the last of these stages, from the first of them on.
Seconds PipelineTime::one_stage_paces(const PipelineStage& stage) const {
  const Seconds slot = stage.forward + stage.backward;
  const double n = std::min(m_, behind_ + 1.0);
  const Seconds down = positive(sum_ - (n - 1.0) * stage.forward);
  const Seconds up = positive(sum_ - (n - 1.0) * stage.backward);
  const Seconds trips = m_ > n ? down + up : max(down, up);
  return (stage.stages - 1.0 + m_) * slot + trips;
}

void PipelineTime::add_before(const PipelineStage& stage) {
  const Seconds slot = stage.forward + stage.backward;
  longest_ = max(longest_ + stage.stages * slot, one_stage_paces(stage));
  const double passes = stage.stages / v_;
  begin_ = max(begin_ - passes * stage.forward, stage.begin);
  end_ = max(end_ - passes * (stage.backward + stage.slower), stage.end);
  drains_ += stage.stages * stage.waits + passes * stage.slower;
  slower_max_ = max(slower_max_, stage.slower);
  behind_ += stage.stages;
  sum_ += stage.stages * slot;
  slot_max_ = max(slot_max_, slot);
  forward_max_ = max(forward_max_, stage.forward);
  backward_max_ = max(backward_max_, stage.backward);
}

Seconds PipelineTime::paced() const {
  const Seconds hops = (2.0 * (p_ * v_ - 1.0)) * hop_;
  switch (schedule_) {
    case Schedule::gpipe:
      return sum_ + (m_ - 1.0) * (forward_max_ + backward_max_) + hops;
    case Schedule::interleaved:
      return sum_ / v_ + (m_ - 1.0 / v_) * slot_max_ + hops;
    default:
      break;
  }
  const double trips = std::floor((m_ + p_ - 1.0) / p_);
  const double rest = m_ + p_ - 1.0 - trips * p_;
  return max(longest_ + hops, trips * (sum_ + hops) + rest * slot_max_);
}

Seconds PipelineTime::total() const {
  // Chunks before the last one slow their stage alone.
  const Seconds drain = drains_ + (1.0 - 1.0 / v_) * slower_max_;
  return paced() + begin_ + drain + end_;
}

}  // namespace cubicbench::sim
