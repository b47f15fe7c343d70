#include "search/cubicml/paper_rounds.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "search/searchers/candidate_pool.h"
#include "search/searchers/unproposed.h"
#include "sim/base/philox.h"

namespace cubicbench::search {
namespace {

class PaperRounds final : public Searcher {
 public:
  PaperRounds(const SearchContext& context, const PaperOptions& chosen)
      : space_(context.space),
        seed_(context.seed),
        trials_(context.trials),
        options_(chosen),
        random_jobs_(std::min(chosen.random, std::max<std::int64_t>(1, 2 * context.trials / 5))),
        jobs_of_round_(chosen.jobs_of_round),
        unproposed_(space_, seed_),
        finished_(space_) {
    if (!context.baseline) return;
    unproposed_.take(*context.baseline);
    asked_ = 1;
  }

  std::optional<Proposal> ask() override {
    if (unproposed_.empty() && queue_.empty()) return std::nullopt;
    if (asked_ >= random_jobs_ && queue_.empty()) begin_round();
    ++asked_;
    if (queue_.empty())
      return Proposal{.config = unproposed_.take_random().value(), .round = round_};
    Proposal proposal{.config = std::move(queue_.front()), .round = round_};
    queue_.pop_front();
    return proposal;
  }

  void tell(const ToldTrial& trial) override { finished_.add(trial); }

  /// A job of the random round less is needed.
  void remember(const ToldTrial& known) override {
    tell(known);
    --random_jobs_;
  }

 private:
  std::uint64_t seed_of(std::uint64_t part) const {
    return sim::random_words({.seed = seed_,
                              .purpose = sim::Purpose::policy,
                              .entity = ~std::uint64_t{0} - static_cast<std::uint64_t>(round_),
                              .draw = static_cast<std::uint32_t>(part)})
        .first;
  }

  void begin_round() {
    ++round_;
    SurrogateOptions learn = options_.surrogate;
    learn.speed.seed = seed_of(0);
    const Surrogate surrogate(finished_, learn);
    if (surrogate.informed()) propose(surrogate);
    fill_up(jobs_of_round_);
  }

  /// Jobs of the first three quarters of the budget serve the predictor's next fits too. Later on
  /// there is less to learn than to win, but one job a round still looks elsewhere, lest a wrong
  /// belief stays.
  std::int64_t doubted_jobs(std::size_t members) const {
    if (members < 2 || options_.explore == 0.0) return 0;
    const bool early = 4 * (asked_ + jobs_of_round_) <= 3 * trials_;
    const double share = options_.explore * static_cast<double>(jobs_of_round_);
    return early ? static_cast<std::int64_t>(std::ceil(share))
                 : std::min<std::int64_t>(1, jobs_of_round_ - 1);
  }

  void propose(const Surrogate& surrogate) {
    const std::size_t members = surrogate.members();
    const std::int64_t doubted = doubted_jobs(members);
    queue_best(candidates(surrogate, 0, members, options_.policies), jobs_of_round_ - doubted);
    for (std::int64_t i = 0; i < doubted; ++i) {
      const std::size_t member = static_cast<std::size_t>(round_ + i) % members;
      const std::int64_t share = jobs_of_round_ - doubted + i + 1;
      queue_best(candidates(surrogate, member, 1, 1), share);
    }
  }

  void fill_up(std::int64_t jobs) {
    while (static_cast<std::int64_t>(queue_.size()) < jobs) {
      std::optional<scenarios::Configuration> config = unproposed_.take_random();
      if (!config) return;
      queue_.push_back(std::move(config).value());
    }
  }

  /// What `policies` policies drew while they learnt what the members' mean rewards. A space that
  /// is no larger than what they would draw is judged as a whole.
  std::vector<Candidate> candidates(const Surrogate& surrogate, std::size_t begin,
                                    std::size_t count, std::int64_t policies) const {
    const auto draws =
        static_cast<std::uint64_t>(policies * options_.reinforce.steps * options_.reinforce.batch);
    CandidatePool pool(space_, [&](std::span<const scenarios::Configuration> configurations,
                                   std::span<double> rewards) {
      surrogate.rewards(configurations, begin, count, rewards);
    });
    if (space_.count() <= draws) {
      pool.add_all();
    } else {
      for (std::int64_t i = 0; i < policies; ++i) {
        const std::uint64_t whom = begin * surrogate.members() + count;
        const auto part = static_cast<std::uint64_t>(i) + 1 + 1'000 * whom;
        reinforce(space_, seed_of(part), options_.reinforce, pool.reward());
      }
    }
    return pool.best_first();
  }

  /// Queues the best that were not proposed before, until `jobs` are queued.
  void queue_best(const std::vector<Candidate>& found, std::int64_t jobs) {
    scenarios::Configuration config(space_.size());
    for (const Candidate& candidate : found) {
      if (static_cast<std::int64_t>(queue_.size()) >= jobs) return;
      space_.configuration_at(candidate.number, config);
      if (unproposed_.take(config)) queue_.push_back(config);
    }
  }

  const scenarios::SearchSpace& space_;
  std::uint64_t seed_;
  std::int64_t trials_;
  PaperOptions options_;
  std::int64_t random_jobs_;
  std::int64_t jobs_of_round_;
  Unproposed unproposed_;
  FinishedJobs finished_;
  std::deque<scenarios::Configuration> queue_;  ///< the rest of the round, the best first
  std::int64_t asked_ = 0;                      ///< the granted baseline included
  std::int64_t round_ = 0;
};

}  // namespace

std::unique_ptr<Searcher> paper_rounds(const SearchContext& context, const PaperOptions& options) {
  return std::make_unique<PaperRounds>(context, options);
}

}  // namespace cubicbench::search
