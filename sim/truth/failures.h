#pragma once

#include <cstdint>
#include <optional>

#include "sim/base/philox.h"
#include "sim/base/units.h"

namespace cubicbench::sim {

/// Failures of the infrastructure: a Poisson process in GPU-hours [docs/models.md, Eq. J-6].
struct FailureModel {
  double per_gpu_hour = 0.0;
  double hang_share = 0.0;  ///< of failures, those that leave the job waiting for its time limit

  bool operator==(const FailureModel&) const = default;
};

/// 419 unexpected interruptions in 54 days on 16,384 GPUs [Llama3, section 3.3.4]; of these 7 are
/// watchdog timeouts of collectives, the only kind in its Table 5 that shows as a hang. A launch of
/// a benchmark has no watchdog, so that they are hangs here is our assumption.
inline constexpr FailureModel llama3_2024{.per_gpu_hour = 419.0 / (54.0 * 24.0 * 16384.0),
                                          .hang_share = 7.0 / 419.0};

struct Interruption {
  Seconds after;       ///< from the launch
  bool hangs = false;  ///< no progress from then on, but no end either

  bool operator==(const Interruption&) const = default;
};

/// The first failure of a job on `gpus` GPUs within `duration`, a pure function of `name`.
std::optional<Interruption> first_interruption(const FailureModel& model, std::int64_t gpus,
                                               Seconds duration, const Draw& name);

}  // namespace cubicbench::sim
