#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "search/searchers/fitness.h"
#include "search/searchers/known_trials.h"
#include "search/searchers/policy.h"
#include "search/searchers/registry.h"
#include "search/searchers/unproposed.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;

constexpr std::array reinforce_options{
    number_option("rate", 0.1, 1e-6, 100, "of learning: how far a launch moves the logits"),
    number_option("momentum", 0.9, 0, 0.999999,
                  "how much of the moving mean reward a launch keeps")};

struct Drawn {
  Configuration config;
};

class Reinforce final : public Searcher {
 public:
  Reinforce(const SearchContext& context, double rate, double momentum)
      : space_(context.space),
        seed_(context.seed),
        rate_(rate),
        momentum_(momentum),
        unproposed_(space_, seed_),
        known_(space_) {
    if (context.baseline) unproposed_.take(*context.baseline);
  }

  std::optional<Proposal> ask() override {
    if (unproposed_.empty()) return std::nullopt;
    std::optional<Configuration> config;
    if (known_.tell_apart()) config = next_draw();
    if (!config) config = unproposed_.take_random();
    return Proposal{.config = std::move(config).value()};
  }

  void tell(const ToldTrial& trial) override { learn(trial.config, known_.add(trial)); }

 private:
  /// A draw that was never launched. One that was teaches again what it was worth, at no cost.
  std::optional<Configuration> next_draw() {
    const auto draw = [&] {
      Drawn drawn{.config = Configuration(space_.size())};
      policy().sample(seed_, drawn_++, drawn.config);
      return std::optional(std::move(drawn));
    };
    auto drawn = fresh_draw(
        unproposed_, known_, draw,
        [&](const Drawn& known, const Fitness& fitness) { learn(known.config, fitness); });
    return drawn ? std::optional(std::move(drawn->config)) : std::nullopt;
  }

  /// Made when it is first needed, since its shares of the space take a thousand times as long as a
  /// proposal. Before, all rewards are equal and teach nothing.
  Policy& policy() {
    if (!policy_) policy_.emplace(space_, seed_);
    return *policy_;
  }

  double reward_of(const Fitness& fitness) {
    if (!fitness.success) return 0.0;
    best_ = std::max(best_.value_or(fitness.value), fitness.value);
    return share_of(fitness.value, *best_);
  }

  /// A step along (reward - mean reward) x the slope of the log-probability.
  void learn(const Configuration& config, const Fitness& fitness) {
    const double reward = reward_of(fitness);
    rewards_ = momentum_ * rewards_ + (1.0 - momentum_) * reward;
    weights_ = momentum_ * weights_ + (1.0 - momentum_);
    if (!known_.tell_apart()) return;
    std::vector<double> slopes(policy().size(), 0.0);
    policy().add_score(config, rate_ * (reward - rewards_ / weights_), slopes);
    policy().move(slopes);
  }

  const scenarios::SearchSpace& space_;
  std::uint64_t seed_;
  double rate_;
  double momentum_;
  Unproposed unproposed_;
  KnownTrials known_;
  std::optional<Policy> policy_;
  std::optional<double> best_;  ///< score so far
  double rewards_ = 0.0;        ///< sum with weights that fall by the momentum
  double weights_ = 0.0;        ///< their sum
  std::uint64_t drawn_ = 0;
};

std::unique_ptr<Searcher> make_reinforce(const SearcherSpec& spec, const SearchContext& context) {
  return std::make_unique<Reinforce>(context, option_of(spec, "rate"), option_of(spec, "momentum"));
}

}  // namespace

/// REINFORCE [Williams92] on launches themselves, no predictor between: one categorical
/// distribution per parameter, whose logits follow (reward - its moving mean) x the slope of the
/// log-probability of each configuration that was launched. Rate, momentum and a step per launch
/// are those of the baseline of NAS-Bench-101 [Ying19], whose reward is an accuracy: ours is the
/// share of the best speed so far, 0 for a failure.
///
/// Departures: the logits begin with each value's share of the space, so that constraints reject
/// less; a draw that was launched before teaches its reward again without a launch; after a hundred
/// such draws, and while nothing tells configurations apart, proposals are random.
SearcherEntry reinforce_searcher() {
  return {.name = "reinforce",
          .summary = "policy gradient on launches: one distribution per parameter, no predictor",
          .options = reinforce_options,
          .make = make_reinforce};
}

}  // namespace cubicbench::search
