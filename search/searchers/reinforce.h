#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "scenarios/space/search_space.h"
#include "search/searchers/policy.h"

namespace cubicbench::search {

struct ReinforceOptions {
  std::int64_t steps = 2'000;
  std::int64_t batch = 8;       ///< configurations a step
  double rate = 0.02;           ///< of Adam
  double entropy = 0.01;        ///< reward for each nat of a parameter's entropy
  double baseline_decay = 0.9;  ///< of the moving mean of rewards
};

/// Writes the reward of each configuration.
using Reward = std::function<void(std::span<const scenarios::Configuration> configurations,
                                  std::span<double> rewards)>;

/// Learns a policy of high expected reward [Williams92]: the logits follow (reward - baseline) x
/// the slope of the log-probability, by Adam [Kingma15]. `reward` sees every configuration that is
/// drawn. A pure function of its arguments.
Policy reinforce(const scenarios::SearchSpace& space, std::uint64_t seed,
                 const ReinforceOptions& options, const Reward& reward);

}  // namespace cubicbench::search
