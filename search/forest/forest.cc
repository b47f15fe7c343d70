#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "search/constrained_gp/told_jobs.h"
#include "search/forest/job_forests.h"
#include "search/forest/space_levels.h"
#include "search/learnt/candidates_ranked.h"
#include "search/learnt/learnt_jobs.h"
#include "search/learnt/ranking.h"
#include "search/searchers/random_stream.h"
#include "search/searchers/registry.h"
#include "search/searchers/unproposed.h"
#include "sim/base/philox.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;

constexpr std::array options{
    integer_option(
        "first", 20, 1, 100'000,
        "launches before the forests, the baseline one of them, the others random; at most half "
        "the budget"),
    integer_option("trees", 30, 1, 1'000, "trees of a forest"),
    integer_option("best", 10, 1, 1'000, "jobs whose neighbours by one knob are candidates"),
    integer_option("mutations", 10, 0, 1'000, "candidates of each that differ in two knobs"),
    integer_option("random", 300, 0, 100'000, "random candidates"),
    number_option("interleaved", 0.15, 0, 1, "share of launches that are random"),
    integer_option("memory", 1, 0, 1, "1: memory is a number where bytes are told")};

struct ForestOptions {
  std::int64_t first = 0;
  std::size_t best = 0;
  CandidateCounts candidates{};
  double interleaved = 0.0;
  JobForestOptions forests{};
};

/// Jobs told between two fits: one at first, later as many as keep the cost of a launch down.
std::size_t fit_interval(std::size_t jobs) {
  constexpr std::size_t few = 150;
  return 1 + jobs / 100 + (jobs > few ? (jobs - few) / 10 : 0);
}

class Forest final : public Searcher {
 public:
  Forest(const SearchContext& context, const ForestOptions& chosen)
      : space_(context.space),
        seed_(context.seed),
        options_(chosen),
        first_(std::min(chosen.first, std::max<std::int64_t>(1, context.trials / 2))),
        unproposed_(space_, seed_),
        levels_(space_) {
    if (!context.baseline) return;
    unproposed_.take(*context.baseline);
    asked_ = 1;
  }

  std::optional<Proposal> ask() override {
    if (unproposed_.empty()) return std::nullopt;
    const std::int64_t number = asked_++;
    RandomStream random(seed_, Stream::decision, static_cast<std::uint64_t>(number));
    std::optional<Configuration> config;
    if (number >= first_ && random.uniform() >= options_.interleaved) config = promising(random);
    if (!config) config = unproposed_.take_random();
    return Proposal{.config = std::move(config).value(), .round = fits_};
  }

  void tell(const ToldTrial& trial) override {
    jobs_.push_back(job_of(trial, levels_.levels_of(trial.config), 1.0));
  }

  /// One launch at random less is needed to begin with.
  void remember(const ToldTrial& known) override {
    tell(known);
    --first_;
  }

 private:
  /// The next that the forests think best, of those that they ranked when they were grown.
  std::optional<Configuration> promising(RandomStream& random) {
    if (jobs_.size() >= fitted_ + fit_interval(jobs_.size())) {
      grow();
      ranked_.clear();
    }
    for (int round = 0; round < 2; ++round) {
      while (!ranked_.empty()) {
        Configuration config = std::move(ranked_.front());
        ranked_.pop_front();
        if (unproposed_.take(config)) return config;
      }
      if (!forests_ || !forests_->informed()) return std::nullopt;
      rank(random);
    }
    return std::nullopt;
  }

  void grow() {
    fitted_ = jobs_.size();
    JobForestOptions chosen = options_.forests;
    chosen.growth.seed = sim::mix(seed_) + 4 * static_cast<std::uint64_t>(++fits_);
    forests_.emplace(levels_.columns(), jobs_, chosen);
  }

  void rank(RandomStream& random) {
    const std::size_t keep = fit_interval(jobs_.size()) + 7;
    predictor::Levels levels(space_.size());
    const auto worth = [&](const Configuration& config, double bound) {
      levels_.write(config, levels);
      return forests_->worth(levels, bound);
    };
    Ranking ranking(space_, unproposed_, keep, worth);
    rank_candidates(space_, best_configs(jobs_, options_.best), options_.candidates, ranking,
                    random);
    const std::vector<Configuration> configs = ranking.configs();
    ranked_.assign(configs.begin(), configs.end());
  }

  const scenarios::SearchSpace& space_;
  std::uint64_t seed_;
  ForestOptions options_;
  std::int64_t first_;
  Unproposed unproposed_;
  SpaceLevels levels_;
  std::vector<Job> jobs_;
  std::optional<JobForests> forests_;
  std::size_t fitted_ = 0;  ///< jobs that they were grown on
  std::int64_t fits_ = 0;
  std::deque<Configuration> ranked_;  ///< what they think best, the best first
  std::int64_t asked_ = 0;            ///< the granted baseline included
};

std::unique_ptr<Searcher> make(const SearcherSpec& spec, const SearchContext& context) {
  const auto size = [&](std::string_view name) {
    return static_cast<std::size_t>(option_of(spec, name));
  };
  ForestOptions chosen{.first = static_cast<std::int64_t>(option_of(spec, "first")),
                       .best = size("best"),
                       .candidates = {.mutations = size("mutations"), .random = size("random")},
                       .interleaved = option_of(spec, "interleaved"),
                       .forests = {}};
  chosen.forests.growth.trees = size("trees");
  chosen.forests.memory = size("memory") == 1;
  return std::make_unique<Forest>(context, chosen);
}

}  // namespace

/// Sequential model-based optimisation with random forests, as SMAC does it [Hutter11]: expected
/// improvement of the logarithm of the score, among neighbours and mutations of the best jobs and
/// random configurations, from the best of them by a climb; some launches are random, so that it
/// finds what the forest has not heard of. Failures are left to a forest of their own, of memory
/// where bytes are told, whose probability to run is a factor.
///
/// The settings are those with which the prototype was measured: thirty trees grown down to single
/// rows, five sixths of the knobs offered to a split. Between fits, which grow apart from 100
/// jobs on, it goes through the ranking of the last one, as SMAC goes through challengers.
SearcherEntry forest_searcher() {
  return {.name = "forest",
          .summary = "random forests of speed and memory, expected improvement, as SMAC",
          .options = options,
          .make = make};
}

}  // namespace cubicbench::search
