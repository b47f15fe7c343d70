#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/plan/plan.h"

namespace cubicbench::sim {

/// A pipeline with split backward passes, as it is ordered and timed: a line of stages, or a V. In
/// a V the model goes down the stages through their first chunks and comes back through the second
/// ones, so that the first stage has both ends of it.
///
/// DualPipe is a V as well: stages i and p - 1 - i hold the same layers, the first chunk of each is
/// nearer to where its micro-batches enter, and both do the same at the same time; what a V hands
/// over on one device at its turn, the two in the middle send each other.
struct SplitShape {
  Schedule schedule = Schedule::zb_h1;
  std::int64_t stages = 1;         ///< p; of DualPipe, one of each two that hold the same layers
  std::int64_t micro_batches = 1;  ///< n: through each chunk of a stage

  bool operator==(const SplitShape&) const = default;

  std::int64_t chunks() const { return is_line() ? 1 : 2; }
  bool is_line() const { return traits(schedule).chunks == StageChunks::one; }
  /// Whether what leaves the last stage's first chunk travels.
  bool turn_sends() const { return traits(schedule).both_ways; }
};

constexpr SplitShape split_shape(const Plan& plan, std::int64_t micro_batches) {
  const std::int64_t ways = traits(plan.schedule).both_ways ? 2 : 1;
  return {.schedule = plan.schedule,
          .stages = plan.pipeline_parallel / ways,
          .micro_batches = micro_batches / ways};
}

/// Which stage of the shape stage `stage` of the pipeline is.
constexpr std::int64_t shape_stage(const Plan& plan, std::int64_t stage) {
  return traits(plan.schedule).both_ways ? std::min(stage, plan.pipeline_parallel - 1 - stage)
                                         : stage;
}

}  // namespace cubicbench::sim
