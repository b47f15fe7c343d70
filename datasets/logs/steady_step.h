#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "datasets/logs/logged_run.h"

namespace cubicbench::datasets {

/// The step of a run once it is steady, and which records it is of.
///
/// Left out, in this order: records of a step that an earlier record has (every rank may print
/// its own); of a batch other than that of the last record (a ramp); whose speed and other rates
/// contradict each other, as those of most records do not; before which the log says that training
/// paused for an evaluation or a checkpoint, unless it does so before half of them; the first
/// record, and those after it that are more than a tenth away from the lower median of all later
/// ones, at most half (warm-up); that are twice as fast as the rest. No rule takes the last record.
/// The step is the median of the rest.
struct SteadyStep {
  std::optional<double> seconds;               ///< where the records state times
  std::optional<double> tokens_per_s_per_gpu;  ///< or rates
  std::optional<double> samples_per_s;
  double batch = 0.0;  ///< sequences of the records that count; 0: not stated
  std::size_t records = 0, used = 0, doubled = 0, ramp = 0, contradictory = 0, paused = 0,
              warm_up = 0, too_fast = 0;
  std::vector<NotUnderstood> named;  ///< contradictory and too fast records
};

SteadyStep steady_step(const LoggedRun& run);

}  // namespace cubicbench::datasets
