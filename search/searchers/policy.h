#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "scenarios/space/search_space.h"

namespace cubicbench::search {

/// One categorical distribution a parameter, independent of each other: what REINFORCE learns.
/// A parameter that is not active is not drawn and learns nothing. A value; not to be shared by
/// threads while it learns.
class Policy {
 public:
  /// Begins with the shares that each value has among the configurations of the space, estimated
  /// from draws, so that constraints reject no more than they must.
  Policy(const scenarios::SearchSpace& space, std::uint64_t seed);

  /// Draws parameter after parameter, a pure function of the policy and (seed, draw). Redraws what
  /// constraints reject, and after a hundred times in vain draws uniformly from the space.
  void sample(std::uint64_t seed, std::uint64_t draw, std::span<std::int64_t> configuration) const;

  double probability(std::size_t parameter, std::size_t value) const {
    return probabilities_[begin_[parameter] + value];
  }
  std::size_t size() const { return probabilities_.size(); }  ///< of all distributions together
  const scenarios::SearchSpace& space() const { return *space_; }

  /// Adds `weight` x the slope of the configuration's log-probability in the logits to `slopes`,
  /// which has size() entries.
  void add_score(std::span<const std::int64_t> configuration, double weight,
                 std::span<double> slopes) const;

  /// Adds `weight` x the slope of the summed entropies.
  void add_entropy(double weight, std::span<double> slopes) const;

  /// Moves the logits.
  void move(std::span<const double> by);

 private:
  void update_probabilities();

  const scenarios::SearchSpace* space_;
  std::vector<std::size_t> begin_;  ///< by parameter, then the end
  std::vector<double> logits_;
  std::vector<double> probabilities_;
};

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
/// The same from `policy` on, which has learnt something already.
Policy reinforce(Policy policy, std::uint64_t seed, const ReinforceOptions& options,
                 const Reward& reward);

}  // namespace cubicbench::search
