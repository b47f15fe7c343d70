#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "search/searchers/crossover.h"
#include "search/searchers/fitness.h"
#include "search/searchers/known_trials.h"
#include "search/searchers/mutation.h"
#include "search/searchers/random_stream.h"
#include "search/searchers/registry.h"
#include "search/searchers/unproposed.h"
#include "sim/base/numeric.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;

constexpr std::array genetic_options{
    integer_option("population", 20, 2, 100'000,
                   "configurations of a generation, of which the first is drawn at random"),
    integer_option("mutation", 10, 1, 1'000'000, "one child in so many has a mutation")};

struct Individual {
  Configuration config;
  Fitness fitness{};
};

/// A place among `size` that are sorted, the best first: the share of those before it has the
/// distribution Beta(1, 2.5).
std::size_t favoured(std::size_t size, RandomStream& random) {
  constexpr double beta = 2.5;
  const double share = 1.0 - sim::pow(1.0 - random.uniform(), 1.0 / beta);
  return std::min(size - 1, static_cast<std::size_t>(share * static_cast<double>(size)));
}

class Genetic final : public Searcher {
 public:
  Genetic(const SearchContext& context, std::size_t population, std::uint64_t mutation)
      : space_(context.space),
        seed_(context.seed),
        population_(population),
        mutation_(mutation),
        unproposed_(space_, seed_),
        known_(space_) {
    if (!context.baseline) return;
    unproposed_.take(*context.baseline);
    born_ = 1;
  }

  std::optional<Proposal> ask() override {
    if (unproposed_.empty()) return std::nullopt;
    RandomStream random(seed_, Stream::decision, asked_++);
    if (born_ >= population_) begin_generation();
    std::optional<Configuration> config;
    if (parents_.size() >= 2) config = next_child(random);
    if (!config) config = unproposed_.take_random();
    ++born_;
    return Proposal{.config = std::move(config).value(), .round = generation_};
  }

  void tell(const ToldTrial& trial) override {
    members_.push_back({.config = trial.config, .fitness = known_.add(trial)});
  }

  /// What is known is a generation, and has children at once where it is a whole one.
  void remember(const ToldTrial& known) override {
    tell(known);
    ++born_;
  }

 private:
  /// What was told since the last generation has children now, whoever is still running.
  void begin_generation() {
    ++generation_;
    born_ = 0;
    if (members_.size() < 2) return;
    parents_ = std::move(members_);
    members_.clear();
    std::ranges::stable_sort(parents_, std::ranges::greater(), &Individual::fitness);
  }

  /// A child that was never launched. One that was is a member of its generation at no cost.
  std::optional<Configuration> next_child(RandomStream& random) {
    const auto draw = [&] {
      if (born_ >= population_) begin_generation();
      return child(random);
    };
    const auto learn = [&](Individual& born, const Fitness& fitness) {
      if (is_member(born.config)) return;
      born.fitness = fitness;
      members_.push_back(std::move(born));
      ++born_;
    };
    auto born = fresh_draw(unproposed_, known_, draw, learn);
    return born ? std::optional(std::move(born->config)) : std::nullopt;
  }

  bool is_member(const Configuration& config) const {
    return std::ranges::find(members_, config, &Individual::config) != members_.end();
  }

  std::optional<Individual> child(RandomStream& random) const {
    const std::size_t mother = favoured(parents_.size(), random);
    std::size_t father = favoured(parents_.size(), random);
    while (father == mother) father = favoured(parents_.size(), random);
    auto config = crossed(space_, parents_[mother].config, parents_[father].config, random);
    if (!config) return std::nullopt;
    if (random.below(mutation_) == 0 && !mutate(space_, *config, random)) return std::nullopt;
    return Individual{.config = std::move(*config)};
  }

  const scenarios::SearchSpace& space_;
  std::uint64_t seed_;
  std::size_t population_;
  std::uint64_t mutation_;
  Unproposed unproposed_;
  KnownTrials known_;
  std::vector<Individual> parents_;  ///< the best first
  std::vector<Individual> members_;  ///< of the generation that is being launched, those told
  std::size_t born_ = 0;             ///< its children so far, the granted baseline included
  std::uint64_t asked_ = 0;
  std::int64_t generation_ = 0;
};

std::unique_ptr<Searcher> make_genetic(const SearcherSpec& spec, const SearchContext& context) {
  return std::make_unique<Genetic>(context, static_cast<std::size_t>(option_of(spec, "population")),
                                   static_cast<std::uint64_t>(option_of(spec, "mutation")));
}

}  // namespace

/// A genetic algorithm with uniform crossover, as Kernel Tuner has it [Werkhoven19]: generations of
/// 20, parents drawn by rank with Beta(1, 2.5), a mutation in one child of 10, no elite. A mutation
/// gives one parameter another value.
///
/// Of a child that was launched before the outcome is known: it is a member of its generation
/// without a launch, so good configurations live on although none is launched twice. With several
/// slots a generation begins as soon as all of the one before were launched, with those told as
/// parents; who is told later belongs to the next. Failures rank below every success, among them
/// the one that missed the memory limit by less is better where that is told. The granted baseline
/// is a member of the first generation, whose others are random. A hundred children in vain:
/// random.
SearcherEntry genetic_searcher() {
  return {.name = "genetic",
          .summary = "genetic algorithm: crosses the better of each generation, mutates some",
          .options = genetic_options,
          .make = make_genetic};
}

}  // namespace cubicbench::search
