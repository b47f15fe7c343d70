#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "search/constrained_gp/acquisition.h"
#include "search/constrained_gp/learnt_process.h"
#include "search/constrained_gp/space_axes.h"
#include "search/constrained_gp/told_jobs.h"
#include "search/learnt/candidates_ranked.h"
#include "search/learnt/improvement.h"
#include "search/learnt/learnt_jobs.h"
#include "search/learnt/ranking.h"
#include "search/searchers/random_stream.h"
#include "search/searchers/registry.h"
#include "search/searchers/unproposed.h"
#include "sim/base/numeric.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;

constexpr std::array gp_options{
    integer_option("first", 10, 1, 100'000,
                   "launches before the process, the baseline one of them, the others random; at "
                   "most half the budget"),
    integer_option("best", 5, 1, 1'000, "jobs whose neighbours by one knob are candidates"),
    integer_option("mutations", 10, 0, 1'000, "candidates of each that differ in two knobs"),
    integer_option("random", 300, 0, 100'000, "random candidates"),
    integer_option("log", 0, 0, 1, "1: the logarithm of the expected improvement"),
    integer_option("keep", 300, 10, 100'000, "jobs that the process begins anew with")};

struct GpOptions {
  std::int64_t first = 0;
  std::size_t best = 0;
  CandidateCounts candidates{};
  bool log = false;
  std::size_t keep = 0;
};

/// Each knob may get a length scale of its own.
predictor::KernelSearch kernel_search() {
  return {.noises = {0.001, 0.01, 0.05, 0.15}, .sweeps = 1};
}

class Gp final : public Searcher {
 public:
  Gp(const SearchContext& context, const GpOptions& chosen)
      : space_(context.space),
        seed_(context.seed),
        options_(chosen),
        first_(std::min(chosen.first, std::max<std::int64_t>(1, context.trials / 2))),
        unproposed_(space_, seed_),
        axes_(space_),
        process_(axes_.axes(), kernel_search(), chosen.keep, Kept::highest) {
    if (!context.baseline) return;
    unproposed_.take(*context.baseline);
    asked_ = 1;
  }

  std::optional<Proposal> ask() override {
    if (unproposed_.empty()) return std::nullopt;
    const std::int64_t number = asked_++;
    std::optional<Configuration> config;
    if (number >= first_) {
      RandomStream random(seed_, Stream::decision, static_cast<std::uint64_t>(number));
      config = most_promising(random);
    }
    if (config) {
      unproposed_.take(*config);
    } else {
      config = unproposed_.take_random();
    }
    running_.push_back(*config);
    return Proposal{.config = std::move(config).value(), .round = 0};
  }

  void tell(const ToldTrial& trial) override {
    std::erase(running_, trial.config);
    jobs_.push_back(job_of(trial, axes_.levels_of(trial.config), 1.0));
    learnt_ = false;
  }

  /// One launch at random less is needed to begin with.
  void remember(const ToldTrial& known) override {
    tell(known);
    --first_;
  }

 private:
  std::optional<Configuration> most_promising(RandomStream& random) {
    if (!learnt_) {
      process_.learn(jobs_, lesson_with_failures(jobs_));
      learnt_ = true;
      believed_ = 0;
    }
    if (!process_.informed()) return std::nullopt;
    // Who is never told runs forever: the latest are enough.
    constexpr std::size_t running_max = 16;
    if (running_.size() > running_max) running_.erase(running_.begin());
    believed_ = std::min(believed_, running_.size());
    for (; believed_ < running_.size(); ++believed_) {
      process_.believe(axes_.levels_of(running_[believed_]));
    }
    return best_candidate(random);
  }

  std::optional<Configuration> best_candidate(RandomStream& random) const {
    const double best = std::ranges::max(process_.expected().targets);
    std::vector<double> k(process_.process().rows());
    const auto worth = [&](const Configuration& config, double bound) {
      return improvement(axes_.levels_of(config), best, bound, k);
    };
    Ranking ranking(space_, unproposed_, 1, worth);
    rank_candidates(space_, best_configs(jobs_, options_.best), options_.candidates, ranking,
                    random);
    return ranking.empty() ? std::nullopt : std::optional(ranking.best());
  }

  /// What is expected at `levels`; of what is not above `bound` no more than that it is not.
  double improvement(const predictor::Levels& levels, double best, double bound,
                     std::vector<double>& k) const {
    constexpr double small = 1e-200;
    const predictor::GaussianProcess& process = process_.process();
    process.correlate(levels, k);
    const double most = improvement_bound(
        {.mean = process.mean_at(k), .deviation = process.deviation_bound(k)}, best);
    if (!options_.log && most <= bound) return most;
    if (options_.log && most > small && sim::log(most) <= bound) return sim::log(most);
    const predictor::Normal f = process.at(k);
    return options_.log ? log_expected_improvement(f, best) : expected_improvement(f, best);
  }

  const scenarios::SearchSpace& space_;
  std::uint64_t seed_;
  GpOptions options_;
  std::int64_t first_;
  Unproposed unproposed_;
  SpaceAxes axes_;
  LearntProcess process_;
  std::vector<Job> jobs_;
  bool learnt_ = false;  ///< all of them
  std::vector<Configuration> running_;
  std::size_t believed_ = 0;  ///< of those that run, how many the process knows of
  std::int64_t asked_ = 0;    ///< the granted baseline included
};

std::unique_ptr<Searcher> make_gp(const SearcherSpec& spec, const SearchContext& context) {
  const auto size = [&](std::string_view name) {
    return static_cast<std::size_t>(option_of(spec, name));
  };
  const GpOptions chosen{.first = static_cast<std::int64_t>(option_of(spec, "first")),
                         .best = size("best"),
                         .candidates = {.mutations = size("mutations"), .random = size("random")},
                         .log = size("log") == 1,
                         .keep = size("keep")};
  return std::make_unique<Gp>(context, chosen);
}

}  // namespace

/// Bayesian optimisation with one Gaussian process and expected improvement [Jones98], or its
/// logarithm [Ament23]: the textbook's, to see what `constrained-gp` adds. The kernel is the
/// product of one a knob, of logarithms of numbers and of labels; an inactive knob stands at its
/// first value. What failed counts as the worst that ran; what runs is taken to end as expected
/// [Ginsbourger10].
SearcherEntry gp_searcher() {
  return {.name = "gp",
          .summary = "one Gaussian process and expected improvement, failures as the worst",
          .options = gp_options,
          .make = make_gp};
}

}  // namespace cubicbench::search
