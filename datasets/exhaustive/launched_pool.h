#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "scenarios/truth/instance.h"

namespace cubicbench::datasets {

/// What a study that proposes a configuration for the first time learns of it, and what is true.
/// The noise of a launch belongs to the configuration and the attempt, so every study learns the
/// same.
struct LaunchedTrial {
  std::int64_t launches = 1;  ///< retries of infrastructure failures included
  /// The measured value, greater is better; minus infinity where the trial failed.
  double score = 0.0;
  scenarios::TrueValue truth;

  bool operator==(const LaunchedTrial&) const = default;
};

/// The trial of one configuration: launched until it ends otherwise than by the infrastructure, or
/// has been retried as often as the scenario allows.
LaunchedTrial launched_trial(const scenarios::Instance& instance,
                             const scenarios::Configuration& configuration,
                             sim::Workspace& workspace);

/// The trials of `size` configurations drawn uniformly and without repeats by a fixed key, on up to
/// `threads` threads (0: all cores), which change nothing; of the whole space, in its order, if it
/// has no more. Where software drifts, as if all were launched on the first day.
/// `look` is called now and then, by any thread; what it throws ends the work.
std::vector<LaunchedTrial> launched_pool(const scenarios::Instance& instance, std::uint64_t size,
                                         int threads, const std::function<void()>& look = {});

}  // namespace cubicbench::datasets
