#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "datasets/logs/logged_run.h"

namespace cubicbench::datasets {

/// The step of a run once it is steady, and which records it is of.
///
/// Left out, in this order: records of a step that an earlier record has (every rank may print its
/// own); of another batch than most of the second half (a ramp); whose speed and other rates
/// contradict each other, as those of most records do not; before which the log says that training
/// paused for an evaluation or a checkpoint, unless it does so before half of them; the first
/// record, and those after it that are twice as fast as the lower median of all later ones or, in
/// the first half, more than a tenth away from it (warm-up); that are twice as fast as the rest; of
/// an even number whose two in the middle are more than a half apart, the slower half. No rule
/// takes the last record. The step is the median of the rest.
struct SteadyStep {
  std::optional<double> seconds;               ///< where the records state times
  std::optional<double> tokens_per_s_per_gpu;  ///< or rates
  std::optional<double> samples_per_s;
  double batch = 0.0;  ///< sequences of the records that count; 0: not stated
  std::size_t records = 0, used = 0, doubled = 0, ramp = 0, contradictory = 0, paused = 0,
              warm_up = 0, too_fast = 0, too_slow = 0;
  std::vector<NotUnderstood> named;  ///< contradictory, too fast and too slow records
};

SteadyStep steady_step(const LoggedRun& run);

}  // namespace cubicbench::datasets
