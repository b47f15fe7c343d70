#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "datasets/exhaustive/enumeration.h"
#include "datasets/exhaustive/run_source.h"
#include "scenarios/problem/scenario.h"

namespace cubicbench::datasets {

/// What is asked of the values of a space.
struct DistributionQuestion {
  scenarios::Direction direction = scenarios::Direction::maximize;
  std::uint64_t configurations = 0;  ///< all of the space
  std::uint64_t failed = 0;          ///< those without a value
  std::optional<double> baseline;    ///< its value
  std::int64_t k_max = 1;            ///< of the best of k
};

/// The answers. Empty where every configuration fails.
struct DistributionSummary {
  std::vector<double> quantiles;
  std::vector<BestOfK> best_of_k;
  std::uint64_t better = 0;  ///< configurations with a value strictly better than the baseline's
};

/// Reads all values once, in order, on up to `threads` threads, which change nothing of the answer.
/// `look` is called now and then; what it throws ends the work. Requires values >= 0. Throws
/// InputError unless their counts sum to configurations - failed.
DistributionSummary summarised(MergedRuns values, const DistributionQuestion& question, int threads,
                               const std::function<void()>& look = {});

}  // namespace cubicbench::datasets
