#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "datasets/jobs/space_columns.h"
#include "predictor/neural/mlp_ensemble.h"
#include "search/constrained_gp/told_jobs.h"
#include "search/learnt/learnt_jobs.h"
#include "search/searchers/mutation.h"
#include "search/searchers/random_stream.h"
#include "search/searchers/registry.h"
#include "search/searchers/unproposed.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;

constexpr std::array banana_options{
    integer_option("first", 10, 1, 100'000,
                   "launches before the networks, the baseline one of them, the others random"),
    integer_option("round", 10, 1, 10'000, "launches of a round, which one ensemble chooses"),
    integer_option("candidates", 100, 1, 100'000, "mutations of the best that it chooses from"),
    integer_option("best", 10, 1, 10'000, "jobs that are mutated"),
    integer_option("ensemble", 5, 1, 100, "networks"),
    integer_option("hidden", 20, 1, 1'000, "width of each of their two hidden layers"),
    integer_option("epochs", 200, 1, 10'000, "passes through the jobs, of at most 1500 steps")};

struct BananaOptions {
  std::int64_t first = 0;
  std::size_t round = 0;
  std::size_t candidates = 0;
  std::size_t best = 0;
  predictor::MlpOptions networks;
};

class Banana final : public Searcher {
 public:
  Banana(const SearchContext& context, const BananaOptions& chosen)
      : space_(context.space),
        seed_(context.seed),
        options_(chosen),
        unproposed_(space_, seed_),
        columns_(space_) {
    if (!context.baseline) return;
    unproposed_.take(*context.baseline);
    asked_ = 1;
  }

  std::optional<Proposal> ask() override {
    if (unproposed_.empty()) return std::nullopt;
    const std::int64_t number = asked_++;
    if (number >= options_.first && queue_.empty()) begin_round(number);
    std::optional<Configuration> config;
    while (!config && !queue_.empty()) {
      if (unproposed_.take(queue_.front())) config = std::move(queue_.front());
      queue_.pop_front();
    }
    if (!config) config = unproposed_.take_random();
    return Proposal{.config = std::move(config).value(), .round = round_};
  }

  void tell(const ToldTrial& trial) override { jobs_.push_back(job_of(trial, {}, 1.0)); }

  /// One launch at random less is needed to begin with.
  void remember(const ToldTrial& known) override {
    tell(known);
    --options_.first;
  }

 private:
  struct Sampled {
    Configuration config;
    double value = 0.0;
  };

  void begin_round(std::int64_t number) {
    const Lesson lesson = lesson_with_failures(jobs_);
    const auto& targets = lesson.targets;
    if (std::adjacent_find(targets.begin(), targets.end(), std::not_equal_to<>()) ==
        targets.end()) {
      return;
    }
    ++round_;
    RandomStream random(seed_, Stream::decision, static_cast<std::uint64_t>(number));
    std::vector<Sampled> sampled = candidates(random);
    if (sampled.empty()) return;
    sample_values(lesson, random, sampled);
    std::ranges::stable_sort(sampled, std::ranges::greater{}, &Sampled::value);
    for (std::size_t i = 0; i < std::min(options_.round, sampled.size()); ++i) {
      queue_.push_back(std::move(sampled[i].config));
    }
  }

  /// Mutations of the best jobs, each in turn, that were not proposed.
  std::vector<Sampled> candidates(RandomStream& random) const {
    const std::vector<std::size_t> best = best_jobs(jobs_, options_.best);
    std::vector<Sampled> found;
    if (best.empty()) return found;
    for (std::size_t i = 0; i < options_.candidates; ++i) {
      Configuration config = jobs_[best[i % best.size()]].config;
      if (!mutate(space_, config, random)) continue;
      if (unproposed_.taken(space_.number_of(config))) continue;
      if (std::ranges::find(found, config, &Sampled::config) != found.end()) continue;
      found.push_back({.config = std::move(config)});
    }
    return found;
  }

  /// Independent Thompson sampling: a draw from the normal of the networks' answers.
  void sample_values(const Lesson& lesson, RandomStream& random,
                     std::vector<Sampled>& sampled) const {
    std::vector<double> cells;
    for (const std::size_t job : lesson.jobs) append(jobs_[job].config, cells);
    predictor::MlpOptions chosen = options_.networks;
    chosen.seed = random.below(std::uint64_t{1} << 62U);
    const predictor::MlpEnsemble ensemble(columns_.columns(), cells, lesson.targets, chosen);
    cells.clear();
    for (const Sampled& one : sampled) append(one.config, cells);
    std::vector<double> squares(sampled.size(), 0.0);
    const std::vector<double> middle = ensemble.predict(cells, sampled.size());
    for (std::size_t member = 0; member < ensemble.members(); ++member) {
      const std::vector<double> said = ensemble.predict(cells, sampled.size(), member, 1);
      for (std::size_t i = 0; i < said.size(); ++i) {
        const double off = said[i] - middle[i];
        squares[i] += off * off;
      }
    }
    const auto members = static_cast<double>(ensemble.members());
    for (std::size_t i = 0; i < sampled.size(); ++i) {
      sampled[i].value = middle[i] + std::sqrt(squares[i] / members) * random.normal();
    }
  }

  void append(const Configuration& config, std::vector<double>& cells) const {
    const std::size_t width = columns_.columns().size();
    cells.resize(cells.size() + width);
    columns_.write(config, std::span(cells).last(width));
  }

  const scenarios::SearchSpace& space_;
  std::uint64_t seed_;
  BananaOptions options_;
  Unproposed unproposed_;
  datasets::SpaceColumns columns_;
  std::vector<Job> jobs_;
  std::deque<Configuration> queue_;  ///< the rest of the round, the best first
  std::int64_t round_ = 0;
  std::int64_t asked_ = 0;  ///< the granted baseline included
};

std::unique_ptr<Searcher> make_banana(const SearcherSpec& spec, const SearchContext& context) {
  const auto size = [&](std::string_view name) {
    return static_cast<std::size_t>(option_of(spec, name));
  };
  BananaOptions chosen{.first = static_cast<std::int64_t>(option_of(spec, "first")),
                       .round = size("round"),
                       .candidates = size("candidates"),
                       .best = size("best"),
                       .networks = {}};
  chosen.networks.loss = predictor::MlpLoss::squared;
  chosen.networks.members = size("ensemble");
  chosen.networks.hidden = size("hidden");
  chosen.networks.epochs = size("epochs");
  return std::make_unique<Banana>(context, chosen);
}

}  // namespace

/// BANANAS [White21]: rounds of jobs, each chosen by an ensemble of networks among mutations of the
/// best jobs, by independent Thompson sampling: every candidate draws its value from the normal of
/// what the networks say of it. What failed counts as the worst that ran. The path encoding is of
/// neural architectures, so knobs are columns as for other predictors; networks have two hidden
/// layers.
SearcherEntry banana_searcher() {
  return {.name = "banana",
          .summary = "an ensemble of networks chooses among mutations of the best (BANANAS)",
          .options = banana_options,
          .make = make_banana};
}

}  // namespace cubicbench::search
