#include "search/searchers/reinforce.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "predictor/neural/adam.h"

namespace cubicbench::search {

Policy reinforce(const scenarios::SearchSpace& space, std::uint64_t seed,
                 const ReinforceOptions& options, const Reward& reward) {
  Policy policy(space, seed);
  predictor::Adam adam(policy.size());
  const auto batch = static_cast<std::size_t>(options.batch);
  std::vector<scenarios::Configuration> drawn(batch, scenarios::Configuration(space.size()));
  std::vector<double> rewards(batch);
  std::vector<float> slopes(policy.size());
  std::vector<double> ascent(policy.size());
  std::vector<float> by(policy.size());
  double baseline = 0.0;
  for (std::int64_t step = 0; step < options.steps; ++step) {
    const std::uint64_t first = static_cast<std::uint64_t>(step) * batch;
    for (std::size_t i = 0; i < batch; ++i) policy.sample(seed, first + i, drawn[i]);
    reward(drawn, rewards);
    double mean = 0.0;
    for (const double each : rewards) mean += each / static_cast<double>(batch);
    baseline = step == 0
                   ? mean
                   : options.baseline_decay * baseline + (1.0 - options.baseline_decay) * mean;
    std::fill(ascent.begin(), ascent.end(), 0.0);
    for (std::size_t i = 0; i < batch; ++i) {
      policy.add_score(drawn[i], (rewards[i] - baseline) / static_cast<double>(batch), ascent);
    }
    policy.add_entropy(options.entropy, ascent);
    // Adam minimises, and moves a vector of numbers: here the way from the present logits.
    std::transform(ascent.begin(), ascent.end(), slopes.begin(),
                   [](double slope) { return static_cast<float>(-slope); });
    std::fill(by.begin(), by.end(), 0.0F);
    adam.step(by, slopes, options.rate);
    std::copy(by.begin(), by.end(), ascent.begin());
    policy.move(ascent);
  }
  return policy;
}

}  // namespace cubicbench::search
