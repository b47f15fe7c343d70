#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "search/searchers/fitness.h"
#include "search/searchers/known_trials.h"
#include "search/searchers/random_stream.h"
#include "search/searchers/registry.h"
#include "search/searchers/unit_cube.h"
#include "search/searchers/unproposed.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;

constexpr std::size_t population_min = 4;  // a target and three others

constexpr std::array differential_evolution_options{
    integer_option("population", 20, population_min, 100'000, "vectors, at first drawn at random"),
    number_option("factor", 0.5, 0, 2, "of the difference of two vectors that is added to a third"),
    number_option("crossover", 0.5, 0, 1, "share of the coordinates that a trial takes from that")};

struct Vector {
  std::vector<double> point;
  Fitness fitness{};
};

/// A vector that challenges a member of the population.
struct Trial {
  Configuration config{};
  std::vector<double> point;
  std::size_t target = 0;
};

struct Rates {
  double factor = 0.0;
  double crossover = 0.0;
};

class DifferentialEvolution final : public Searcher {
 public:
  DifferentialEvolution(const SearchContext& context, std::size_t population, const Rates& rates)
      : space_(context.space),
        seed_(context.seed),
        population_max_(population),
        rates_(rates),
        unproposed_(space_, seed_),
        known_(space_) {
    if (!context.baseline) return;
    unproposed_.take(*context.baseline);
    asked_ = 1;
  }

  std::optional<Proposal> ask() override {
    if (unproposed_.empty()) return std::nullopt;
    const std::uint64_t number = asked_++;
    RandomStream random(seed_, Stream::decision, number);
    if (number + known_trials_ >= population_max_ && members_.size() >= population_min &&
        known_.tell_apart()) {
      return Proposal{.config = challenge(random)};
    }
    return Proposal{.config = unproposed_.take_random().value()};
  }

  void tell(const ToldTrial& trial) override {
    RandomStream random(seed_, Stream::outcome, told_++);
    const Fitness fitness = known_.add(trial);
    const auto found = running_.find(space_.number_of(trial.config));
    if (found != running_.end()) {
      compete(found->second, fitness);
      running_.erase(found);
    } else if (members_.size() < population_max_) {
      members_.push_back({.point = point_of(space_, trial.config, random), .fitness = fitness});
    }
  }

  /// The best of what is known are the first members; each saves a random launch.
  void remember(const ToldTrial& known) override {
    RandomStream random(seed_, Stream::outcome, told_++);
    ++known_trials_;
    const Fitness fitness = known_.add(known);
    Vector member{.point = point_of(space_, known.config, random), .fitness = fitness};
    if (members_.size() < population_max_) {
      members_.push_back(std::move(member));
      return;
    }
    const auto worst = std::ranges::min_element(members_, {}, &Vector::fitness);
    if (worst->fitness < fitness) *worst = std::move(member);
  }

 private:
  /// A trial that was never launched. One that was competes at once, and it is the next one's turn.
  Configuration challenge(RandomStream& random) {
    const auto draw = [&] { return next_trial(random); };
    const auto learn = [&](const Trial& trial, const Fitness& fitness) {
      compete(trial, fitness);
      ++turn_;
    };
    std::optional<Trial> trial = fresh_draw(unproposed_, known_, draw, learn);
    if (!trial) {
      Configuration config = unproposed_.take_random().value();
      std::vector<double> point = point_of(space_, config, random);
      trial = Trial{.config = std::move(config), .point = std::move(point), .target = target()};
    }
    ++turn_;
    Configuration config = trial->config;
    running_.emplace(space_.number_of(config), *std::move(trial));
    return config;
  }

  std::size_t target() const { return turn_ % members_.size(); }

  /// Whose trial is as good gives way, so that a plateau is crossed.
  void compete(const Trial& trial, const Fitness& fitness) {
    Vector& member = members_[trial.target];
    if (fitness < member.fitness) return;
    member = {.point = trial.point, .fitness = fitness};
  }

  /// DE/rand/1/bin: a + factor (b - c) of three others, crossed with the target.
  std::optional<Trial> next_trial(RandomStream& random) const {
    Trial trial{.point = members_[target()].point, .target = target()};
    const std::array<std::size_t, 3> others = three_others(random);
    const std::size_t dimensions = trial.point.size();
    const std::size_t always = dimensions == 0 ? 0 : random.position(dimensions);
    for (std::size_t i = 0; i < dimensions; ++i) {
      const bool crosses = random.uniform() < rates_.crossover || i == always;
      const double moved =
          members_[others[0]].point[i] +
          rates_.factor * (members_[others[1]].point[i] - members_[others[2]].point[i]);
      const double elsewhere = random.uniform();
      if (crosses) trial.point[i] = moved >= 0.0 && moved < 1.0 ? moved : elsewhere;
    }
    trial.config = configuration_at(space_, trial.point);
    return space_.satisfies(trial.config) ? std::optional(std::move(trial)) : std::nullopt;
  }

  std::array<std::size_t, 3> three_others(RandomStream& random) const {
    std::array<std::size_t, 3> others{};
    for (std::size_t i = 0; i < others.size(); ++i) {
      const auto taken = [&](std::size_t one) {
        return one == target() ||
               std::find(others.begin(), others.begin() + i, one) != others.begin() + i;
      };
      do {
        others[i] = random.position(members_.size());
      } while (taken(others[i]));
    }
    return others;
  }

  const scenarios::SearchSpace& space_;
  std::uint64_t seed_;
  std::size_t population_max_;
  Rates rates_;
  Unproposed unproposed_;
  KnownTrials known_;
  std::vector<Vector> members_;
  std::unordered_map<std::uint64_t, Trial> running_;  ///< by number; asked for single ones alone
  std::uint64_t asked_ = 0;                           ///< the granted baseline included
  std::uint64_t told_ = 0;
  std::uint64_t known_trials_ = 0;  ///< launches before the study
  std::uint64_t turn_ = 0;          ///< counts trials, each of the next member
};

std::unique_ptr<Searcher> make_differential_evolution(const SearcherSpec& spec,
                                                      const SearchContext& context) {
  return std::make_unique<DifferentialEvolution>(
      context, static_cast<std::size_t>(option_of(spec, "population")),
      Rates{.factor = option_of(spec, "factor"), .crossover = option_of(spec, "crossover")});
}

}  // namespace

/// Differential evolution, DE/rand/1/bin [StornPrice97]: a difference of two vectors of the
/// population, added to a third and crossed with a fourth, takes the fourth's place unless it is
/// worse.
///
/// Configurations are points of the unit cube, each coordinate cut into as many equal parts as its
/// parameter has values; a coordinate that leaves the cube is drawn anew; 20 vectors, a factor and
/// a crossover of 0.5: so in its use for architecture search [Awad20]. The original asks for 5 to
/// 10 vectors per dimension, which would leave a budget of 150 nothing but the first generation.
/// Coordinates of inactive parameters evolve too and do nothing; a trial that constraints reject is
/// drawn anew. A trial that was launched before competes without a launch. The population is
/// updated at once, so that any number of slots may run. Failures are worse than every success,
/// among them fewer bytes beyond the memory limit are better where that is told. The granted
/// baseline is one of the first vectors; random while nothing tells configurations apart.
SearcherEntry differential_evolution_searcher() {
  return {.name = "differential-evolution",
          .summary = "differential evolution: adds differences of the population's vectors",
          .options = differential_evolution_options,
          .make = make_differential_evolution};
}

}  // namespace cubicbench::search
