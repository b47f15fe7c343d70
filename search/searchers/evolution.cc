#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <utility>

#include "search/searchers/fitness.h"
#include "search/searchers/mutation.h"
#include "search/searchers/random_stream.h"
#include "search/searchers/registry.h"
#include "search/searchers/unproposed.h"

namespace cubicbench::search {
namespace {

constexpr std::array evolution_options{
    integer_option("population", 50, 1, 100'000,
                   "how many trials live, the first of them drawn at random"),
    integer_option("sample", 10, 1, 100'000,
                   "how many of them compete to be the parent of the next")};

struct Member {
  scenarios::Configuration config;
  Fitness fitness;
};

class Evolution final : public Searcher {
 public:
  Evolution(const SearchContext& context, std::size_t population, std::size_t sample)
      : space_(context.space),
        seed_(context.seed),
        unproposed_(space_, seed_),
        population_max_(population),
        sample_(sample) {
    if (!context.baseline) return;
    unproposed_.take(*context.baseline);
    asked_ = 1;
  }

  std::optional<Proposal> ask() override {
    if (unproposed_.empty()) return std::nullopt;
    const std::uint64_t number = asked_++;
    std::optional<scenarios::Configuration> config;
    if (number + known_ >= population_max_ && !population_.empty()) {
      RandomStream random(seed_, Stream::decision, number);
      config = fresh_mutation(space_, parent(random).config, 1, unproposed_, random);
    }
    if (!config) config = unproposed_.take_random();
    return Proposal{.config = std::move(config).value(), .round = 0};
  }

  void tell(const ToldTrial& trial) override {
    population_.push_back({.config = trial.config, .fitness = fitness_of(trial)});
    if (population_.size() > population_max_) population_.pop_front();
  }

  /// Who is known lives as long as who was launched, and saves a random launch.
  void remember(const ToldTrial& known) override {
    tell(known);
    ++known_;
  }

 private:
  const Member& parent(RandomStream& random) const {
    const Member* best = &population_[random.position(population_.size())];
    for (std::size_t i = 1; i < sample_; ++i) {
      const Member& candidate = population_[random.position(population_.size())];
      if (candidate.fitness > best->fitness) best = &candidate;
    }
    return *best;
  }

  const scenarios::SearchSpace& space_;
  std::uint64_t seed_;
  Unproposed unproposed_;
  std::size_t population_max_;
  std::size_t sample_;
  std::deque<Member> population_;  ///< the oldest first
  std::uint64_t asked_ = 0;        ///< the granted baseline included
  std::uint64_t known_ = 0;        ///< launches before the study
};

std::unique_ptr<Searcher> make_evolution(const SearcherSpec& spec, const SearchContext& context) {
  return std::make_unique<Evolution>(context,
                                     static_cast<std::size_t>(option_of(spec, "population")),
                                     static_cast<std::size_t>(option_of(spec, "sample")));
}

}  // namespace

/// Regularised evolution [Real19]: the best of `sample` members drawn, with
/// replacement, from a population of the `population` trials told last has a child by one mutation;
/// who was told longest ago leaves, however good.
///
/// The first `population` proposals are those of `random` with the same seed. A failed trial enters
/// the population below every success, and among failures the one that missed the memory limit by
/// less is better where that is told. Departures from the paper: a child that was proposed before
/// is mutated again, since a repeat costs a launch, and one that constraints reject is redrawn;
/// after 100 mutations the next of the random order is proposed instead. Ends when the space is
/// exhausted. A proposal needs no outcome of the one before, so any number may be running.
///
/// Defaults: 50 and 10, those of the baseline of NAS-Bench-101, whose search is over a table as
/// ours is. The paper's own 100 and 25 would leave a budget of 150 trials 50 of evolution.
SearcherEntry evolution_searcher() {
  return {.name = "evolution",
          .summary = "regularised evolution: mutates the best of a sample, the oldest dies",
          .options = evolution_options,
          .make = make_evolution};
}

}  // namespace cubicbench::search
