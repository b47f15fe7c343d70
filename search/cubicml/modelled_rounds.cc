#include "search/cubicml/modelled_rounds.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "search/constrained_gp/neighbourhood.h"
#include "search/constrained_gp/study_models.h"
#include "search/searchers/candidate_pool.h"
#include "search/searchers/random_stream.h"
#include "search/searchers/unproposed.h"
#include "sim/base/philox.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;

class ModelledRounds final : public Searcher {
 public:
  ModelledRounds(const SearchContext& context, const ModelledOptions& options)
      : space_(context.space),
        seed_(context.seed),
        options_(options),
        random_jobs_(std::min(options.random, std::max<std::int64_t>(1, context.trials / 2))),
        unproposed_(space_, seed_),
        study_(space_, {.explore = options.doubt}),
        second_neighbours_(space_, study_.axes()) {
    if (!context.baseline) return;
    unproposed_.take(*context.baseline);
    asked_ = 1;
  }

  std::optional<Proposal> ask() override {
    if (queue_.empty()) fill(asked_ < random_jobs_ ? 1 : options_.jobs_of_round);
    if (queue_.empty()) return std::nullopt;
    ++asked_;
    Proposal proposal{.config = std::move(queue_.front()), .round = round_};
    queue_.pop_front();
    return proposal;
  }

  void tell(const ToldTrial& trial) override { study_.end(trial); }

  /// A job of the random round less is needed.
  void remember(const ToldTrial& known) override {
    tell(known);
    --random_jobs_;
  }

 private:
  void fill(std::int64_t jobs) {
    if (asked_ >= random_jobs_) begin_round(jobs);
    while (std::ssize(queue_) < jobs && !unproposed_.empty()) {
      take(unproposed_.take_random().value());
    }
  }

  void begin_round(std::int64_t jobs) {
    ++round_;
    if (!study_.learn()) return;
    const auto curious = static_cast<std::int64_t>(options_.curious * static_cast<double>(jobs));
    take_best(judged_by(study_.models().gain_over_worst()), jobs - curious);
    // These know what the others of the round are expected to show.
    study_.learn();
    take_best(judged_by(study_.acquisition()), jobs);
  }

  void take(Configuration config) {
    study_.start(config, asked_ + std::ssize(queue_));
    queue_.push_back(std::move(config));
  }

  /// Takes the best that were not proposed before, until `jobs` are queued.
  void take_best(const std::vector<Candidate>& found, std::int64_t jobs) {
    Configuration config(space_.size());
    for (const Candidate& candidate : found) {
      if (std::ssize(queue_) >= jobs) return;
      space_.configuration_at(candidate.number, config);
      if (unproposed_.take(config)) take(config);
    }
  }

  /// What the policy drew while it learnt and the neighbours of the best job, the best first. The
  /// policy is rewarded by what a configuration is worth at most, which takes no equations to
  /// solve; the best of those are judged in full.
  std::vector<Candidate> judged_by(const Acquisition& acquisition) {
    CandidatePool pool(
        space_, [&](std::span<const Configuration> configurations, std::span<double> bounds) {
          for (std::size_t i = 0; i < configurations.size(); ++i) {
            bounds[i] = acquisition.bound(correlations(acquisition, configurations[i]));
          }
        });
    double most = 1e-300;
    const auto share_of_the_most = [&, bounds = pool.reward()](
                                       std::span<const Configuration> configurations,
                                       std::span<double> rewards) {
      bounds(configurations, rewards);
      for (const double bound : rewards) most = std::max(most, bound);
      for (double& reward : rewards) reward /= most;
    };
    if (!policy_) policy_.emplace(space_, seed_of_round());
    policy_ = reinforce(std::move(policy_).value(), seed_of_round(), options_.reinforce,
                        share_of_the_most);
    RandomStream random(seed_, Stream::decision, static_cast<std::uint64_t>(asked_));
    for (const Configuration& best : study_.best(1)) {
      for (const LevelRows& near : {second_neighbours_.some(best, options_.pairs, random),
                                    neighbours(space_, study_.axes(), best)}) {
        std::vector<Configuration> configurations(near.size(), Configuration(space_.size()));
        for (std::size_t i = 0; i < near.size(); ++i) {
          space_.configuration_at(near.number(i), configurations[i]);
        }
        std::vector<double> rewards(near.size());
        pool.reward()(configurations, rewards);
      }
    }
    return judged_in_full(acquisition, pool.best_first());
  }

  std::vector<Candidate> judged_in_full(const Acquisition& acquisition,
                                        const std::vector<Candidate>& found) const {
    std::vector<Candidate> judged;
    Configuration config(space_.size());
    for (const Candidate& candidate : found) {
      if (judged.size() == options_.judged) break;
      if (unproposed_.taken(candidate.number)) continue;
      space_.configuration_at(candidate.number, config);
      Correlations at = correlations(acquisition, config);
      judged.push_back({.number = candidate.number, .reward = acquisition.worth(at)});
    }
    std::ranges::stable_sort(judged, std::ranges::greater{}, &Candidate::reward);
    return judged;
  }

  Correlations correlations(const Acquisition& acquisition, const Configuration& config) const {
    return acquisition.correlations(study_.axes().levels_of(config));
  }

  std::uint64_t seed_of_round() const {
    return sim::random_words({.seed = seed_,
                              .purpose = sim::Purpose::policy,
                              .entity = ~std::uint64_t{0} - static_cast<std::uint64_t>(round_),
                              .draw = 0})
        .first;
  }

  const scenarios::SearchSpace& space_;
  std::uint64_t seed_;
  ModelledOptions options_;
  std::int64_t random_jobs_;
  Unproposed unproposed_;
  StudyModels study_;
  SecondNeighbours second_neighbours_;
  std::optional<Policy> policy_{};
  std::deque<Configuration> queue_;  ///< the rest of the round
  std::int64_t asked_ = 0;           ///< the granted baseline included
  std::int64_t round_ = 0;
};

}  // namespace

std::unique_ptr<Searcher> modelled_rounds(const SearchContext& context,
                                          const ModelledOptions& options) {
  return std::make_unique<ModelledRounds>(context, options);
}

}  // namespace cubicbench::search
