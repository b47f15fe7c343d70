#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

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

constexpr std::array annealing_options{
    number_option("hot", 1.0, 1e-6, 1e6,
                  "temperature of the first launch, as a loss of speed that is often accepted"),
    number_option("cold", 0.001, 1e-9, 1e6, "temperature of the last")};

/// A configuration and what it was worth.
struct Place {
  Configuration config;
  Fitness fitness;
};

/// A change that is tried from where the walk stands.
struct Step {
  Configuration config;
};

/// By how much longer `to` takes than `from`, as a share of what `from` takes; not worse: 0.
double relative_loss(double from, double to) {
  if (to >= from) return 0.0;
  const double share = share_of(to, from);
  return share > 0.0 ? 1.0 / share - 1.0 : std::numeric_limits<double>::infinity();
}

class Annealing final : public Searcher {
 public:
  Annealing(const SearchContext& context, double hot, double cold)
      : space_(context.space),
        seed_(context.seed),
        trials_(static_cast<double>(context.trials)),
        hot_(hot),
        cold_(cold),
        unproposed_(space_, seed_),
        known_(space_) {
    if (context.baseline) unproposed_.take(*context.baseline);
  }

  std::optional<Proposal> ask() override {
    if (unproposed_.empty()) return std::nullopt;
    RandomStream random(seed_, Stream::decision, asked_++);
    if (here_ && known_.tell_apart()) {
      if (auto config = next_step(random)) return Proposal{.config = *std::move(config)};
      auto restart = unproposed_.take_random();
      restart_ = restart;
      return Proposal{.config = std::move(restart).value()};
    }
    return Proposal{.config = unproposed_.take_random().value()};
  }

  void tell(const ToldTrial& trial) override {
    RandomStream random(seed_, Stream::outcome, told_++);
    const Fitness fitness = known_.add(trial);
    if (!here_ || (restart_ && trial.config == *restart_)) {
      here_ = Place{.config = trial.config, .fitness = fitness};
    } else {
      consider(trial.config, fitness, random);
    }
  }

  /// The walk begins at the best that is known, and as hot as one that knows nothing.
  void remember(const ToldTrial& known) override {
    const Fitness fitness = known_.add(known);
    if (here_ && !(fitness > here_->fitness)) return;
    here_ = Place{.config = known.config, .fitness = fitness};
  }

 private:
  /// A change of one parameter that was never launched. Those that were are walked through at once.
  std::optional<Configuration> next_step(RandomStream& random) {
    const auto draw = [&]() -> std::optional<Step> {
      Step step{.config = here_->config};
      return mutate(space_, step.config, random) ? std::optional(std::move(step)) : std::nullopt;
    };
    const auto learn = [&](const Step& step, const Fitness& fitness) {
      consider(step.config, fitness, random);
    };
    auto step = fresh_draw(unproposed_, known_, draw, learn);
    return step ? std::optional(std::move(step->config)) : std::nullopt;
  }

  double temperature() const {
    return hot_ * sim::pow(cold_ / hot_, static_cast<double>(told_) / trials_);
  }

  /// Goes there by the rule of Metropolis.
  void consider(const Configuration& to, const Fitness& fitness, RandomStream& random) {
    const double chance = random.uniform();
    if (fitness < here_->fitness) {
      if (!fitness.success) return;
      const double loss = relative_loss(here_->fitness.value, fitness.value);
      if (!(chance < sim::exp(-loss / temperature()))) return;
    }
    here_ = Place{.config = to, .fitness = fitness};
  }

  const scenarios::SearchSpace& space_;
  std::uint64_t seed_;
  double trials_;
  double hot_;
  double cold_;
  Unproposed unproposed_;
  KnownTrials known_;
  std::optional<Place> here_;
  std::optional<Configuration> restart_;  ///< where a new walk begins as soon as it is told
  std::uint64_t asked_ = 0;
  std::uint64_t told_ = 0;
};

std::unique_ptr<Searcher> make_annealing(const SearcherSpec& spec, const SearchContext& context) {
  return std::make_unique<Annealing>(context, option_of(spec, "hot"), option_of(spec, "cold"));
}

}  // namespace

/// Simulated annealing [Kirkpatrick83]: a random change of one parameter is taken if it is not
/// worse, else with probability exp(-loss / temperature); the temperature falls geometrically over
/// the budget. The loss is relative: by what share a step takes longer.
///
/// Temperatures from 1 to 0.001 and relative losses are those of Kernel Tuner [Werkhoven19], which
/// tunes configurations as we do, scaled to the budget as its code scales them. From there too: a
/// configuration that was launched before costs nothing when the walk meets it again, a failure is
/// entered only from a failure, and a walk that found nothing new in a hundred steps begins anew at
/// a random place. Departure: its neighbours change all parameters by one place or, one time in
/// five, one parameter to any value; ours is always the latter. Among failures, fewer bytes beyond
/// the memory limit are better where that is told. Begins with the granted baseline; random while
/// nothing tells configurations apart.
SearcherEntry annealing_searcher() {
  return {.name = "annealing",
          .summary = "simulated annealing: takes a worse change less and less often",
          .options = annealing_options,
          .make = make_annealing};
}

}  // namespace cubicbench::search
