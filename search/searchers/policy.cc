#include "search/searchers/policy.h"

#include <algorithm>

#include "predictor/neural/adam.h"
#include "sim/base/check.h"
#include "sim/base/numeric.h"
#include "sim/base/philox.h"

namespace cubicbench::search {
namespace {

constexpr std::uint64_t marginal_draws = 2'048;
constexpr std::uint32_t attempts_max = 100;

std::size_t choices_of(const scenarios::SearchSpace& space, std::size_t parameter) {
  return space.parameters()[parameter].values.size();
}

}  // namespace

Policy::Policy(const scenarios::SearchSpace& space, std::uint64_t seed) : space_(&space) {
  begin_.push_back(0);
  for (std::size_t i = 0; i < space.size(); ++i) begin_.push_back(begin_[i] + choices_of(space, i));
  // One of each to begin with: what the draws missed stays possible.
  std::vector<double> seen(begin_.back(), 1.0);
  scenarios::Configuration drawn(space.size());
  for (std::uint64_t draw = 0; draw < marginal_draws; ++draw) {
    space.sample(seed, draw, drawn);
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      if (drawn[i] >= 0) seen[begin_[i] + static_cast<std::size_t>(drawn[i])] += 1.0;
    }
  }
  for (const double times : seen) logits_.push_back(sim::log(times));
  probabilities_.resize(logits_.size());
  update_probabilities();
}

void Policy::sample(std::uint64_t seed, std::uint64_t draw,
                    std::span<std::int64_t> configuration) const {
  sim::Draw next{.seed = seed, .purpose = sim::Purpose::policy, .entity = draw, .draw = 0};
  for (std::uint32_t attempt = 0; attempt < attempts_max; ++attempt) {
    for (std::size_t i = 0; i < configuration.size(); ++i) {
      if (!space_->active(configuration, i)) {
        configuration[i] = scenarios::inactive;
        continue;
      }
      double left = sim::uniform(next);
      ++next.draw;
      std::size_t value = 0;
      const std::size_t last = choices_of(*space_, i) - 1;
      while (value < last && left >= probability(i, value)) left -= probability(i, value++);
      configuration[i] = static_cast<std::int64_t>(value);
    }
    if (space_->satisfies(configuration)) return;
  }
  space_->sample(seed, draw, configuration);
}

void Policy::add_score(std::span<const std::int64_t> configuration, double weight,
                       std::span<double> slopes) const {
  for (std::size_t i = 0; i < configuration.size(); ++i) {
    if (configuration[i] < 0) continue;
    for (std::size_t at = begin_[i]; at < begin_[i + 1]; ++at) {
      slopes[at] -= weight * probabilities_[at];
    }
    slopes[begin_[i] + static_cast<std::size_t>(configuration[i])] += weight;
  }
}

void Policy::add_entropy(double weight, std::span<double> slopes) const {
  for (std::size_t i = 0; i + 1 < begin_.size(); ++i) {
    double entropy = 0.0;
    for (std::size_t at = begin_[i]; at < begin_[i + 1]; ++at) {
      entropy -= probabilities_[at] * sim::log(std::max(probabilities_[at], 1e-300));
    }
    for (std::size_t at = begin_[i]; at < begin_[i + 1]; ++at) {
      const double p = probabilities_[at];
      slopes[at] -= weight * p * (sim::log(std::max(p, 1e-300)) + entropy);
    }
  }
}

void Policy::move(std::span<const double> by) {
  SIM_ASSERT(by.size() == logits_.size(), by.size(), logits_.size());
  for (std::size_t i = 0; i < by.size(); ++i) logits_[i] += by[i];
  update_probabilities();
}

void Policy::update_probabilities() {
  for (std::size_t i = 0; i + 1 < begin_.size(); ++i) {
    double most = logits_[begin_[i]];
    for (std::size_t at = begin_[i]; at < begin_[i + 1]; ++at) most = std::max(most, logits_[at]);
    double sum = 0.0;
    for (std::size_t at = begin_[i]; at < begin_[i + 1]; ++at) {
      probabilities_[at] = sim::exp(logits_[at] - most);
      sum += probabilities_[at];
    }
    for (std::size_t at = begin_[i]; at < begin_[i + 1]; ++at) probabilities_[at] /= sum;
  }
}

Policy reinforce(const scenarios::SearchSpace& space, std::uint64_t seed,
                 const ReinforceOptions& options, const Reward& reward) {
  return reinforce(Policy(space, seed), seed, options, reward);
}

Policy reinforce(Policy policy, std::uint64_t seed, const ReinforceOptions& options,
                 const Reward& reward) {
  predictor::Adam adam(policy.size());
  const auto batch = static_cast<std::size_t>(options.batch);
  std::vector<scenarios::Configuration> drawn(batch,
                                              scenarios::Configuration(policy.space().size()));
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
