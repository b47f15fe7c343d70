#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "search/constrained_gp/candidates.h"
#include "search/constrained_gp/neighbourhood.h"
#include "search/constrained_gp/study_models.h"
#include "search/searchers/random_stream.h"
#include "search/searchers/registry.h"
#include "search/searchers/unproposed.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;

constexpr std::array options{
    integer_option(
        "first", 15, 1, 100'000,
        "launches before the models, the baseline one of them, the others random; at most "
        "half the budget"),
    integer_option("pairs", 800, 0, 100'000, "candidates that differ from the best in two knobs"),
    integer_option("random", 200, 0, 100'000, "random candidates"),
    integer_option("climb", 3, 0, 1'000, "steps from the best candidate to its best neighbour"),
    integer_option("rates", 1, 0, 1, "1: each knob may get a length scale of its own"),
    integer_option("memory", 1, 0, 1, "1: memory is a number where bytes are told"),
    integer_option("time", 1, 0, 1, "1: time is a number where launches are too slow"),
    number_option("explore", 2.5, 0.1, 100,
                  "deviations of the score count so many times: the processes are too sure"),
    integer_option("recommend", 0, 0, 1,
                   "1: recommends what is expected to be worth most; 0: what was measured best"),
    number_option("tail", 0, 0, 100,
                  "log scores are cut so many times the distance of their median below the best; "
                  "0: nowhere"),
    integer_option("keep", 300, 10, 100'000, "jobs that a model begins anew with")};

struct GpOptions {
  std::int64_t first = 0;
  std::size_t pairs = 0;
  std::int64_t random = 0;
  std::int64_t climb = 0;
  bool recommend = false;
  ModelOptions models;
};

class ConstrainedGp final : public Searcher {
 public:
  ConstrainedGp(const SearchContext& context, const GpOptions& chosen)
      : space_(context.space),
        seed_(context.seed),
        options_(chosen),
        first_(std::min(chosen.first, std::max<std::int64_t>(1, context.trials / 2))),
        unproposed_(space_, seed_),
        study_(space_, chosen.models),
        second_neighbours_(space_, study_.axes()) {
    if (!context.baseline) return;
    unproposed_.take(*context.baseline);
    asked_ = 1;
  }

  std::optional<Proposal> ask() override {
    if (unproposed_.empty()) return std::nullopt;
    const std::int64_t number = asked_++;
    std::optional<Configuration> config;
    if (number >= first_) config = most_promising(number);
    if (config) {
      unproposed_.take(*config);
    } else {
      config = unproposed_.take_random();
    }
    study_.start(*config, number);
    return Proposal{.config = std::move(config).value(), .round = 0};
  }

  void tell(const ToldTrial& trial) override { study_.end(trial); }

  /// One launch at random less is needed to begin with.
  void remember(const ToldTrial& known) override {
    tell(known);
    --first_;
  }

  std::optional<Configuration> recommend() override {
    if (!options_.recommend) return std::nullopt;
    JobModels& models = study_.models();
    models.learn_to_recommend();
    study_.disbelieve();
    const std::optional<std::size_t> job = models.recommended();
    return job ? std::optional(models.jobs()[*job].config) : std::nullopt;
  }

 private:
  std::optional<Configuration> most_promising(std::int64_t number) {
    if (!study_.learn()) return std::nullopt;
    const Acquisition acquisition = study_.acquisition();
    RandomStream random(seed_, Stream::decision, static_cast<std::uint64_t>(number));
    CandidateList candidates(space_, study_.axes(), unproposed_, acquisition);
    for (const Configuration& best : study_.best(1)) {
      candidates.add_neighbours(best, second_neighbours_.some(best, options_.pairs, random));
    }
    for (std::int64_t i = 0; i < options_.random; ++i) candidates.add(random.below(space_.count()));
    return candidates.climbed(options_.climb);
  }

  const scenarios::SearchSpace& space_;
  std::uint64_t seed_;
  GpOptions options_;
  std::int64_t first_;
  Unproposed unproposed_;
  StudyModels study_;
  SecondNeighbours second_neighbours_;
  std::int64_t asked_ = 0;  ///< the granted baseline included
};

std::unique_ptr<Searcher> make(const SearcherSpec& spec, const SearchContext& context) {
  const auto integer = [&](std::string_view name) {
    return static_cast<std::int64_t>(option_of(spec, name));
  };
  const auto size = [&](std::string_view name) {
    return static_cast<std::size_t>(option_of(spec, name));
  };
  const GpOptions chosen{.first = integer("first"),
                         .pairs = size("pairs"),
                         .random = integer("random"),
                         .climb = integer("climb"),
                         .recommend = integer("recommend") == 1,
                         .models = {.rates = integer("rates") == 1,
                                    .memory = integer("memory") == 1,
                                    .time = integer("time") == 1,
                                    .tail = option_of(spec, "tail"),
                                    .explore = option_of(spec, "explore"),
                                    .keep = size("keep")}};
  return std::make_unique<ConstrainedGp>(context, chosen);
}

}  // namespace

/// Bayesian optimisation with limits that are modelled numbers [Gardner14]: a Gaussian process of
/// the logarithm of the score, one of the logarithm of memory where bytes are told, one of that of
/// time where launches are too slow, one of whether launches fail otherwise. What is proposed has
/// the highest expected improvement [Jones98] times the chance to keep all limits, among
/// neighbours of the best and random configurations. What runs is taken to end as expected, the
/// kriging believer of [Ginsbourger10].
SearcherEntry constrained_gp_searcher() {
  return {.name = "constrained-gp",
          .summary = "Gaussian processes of speed, memory and time: improvement where it runs",
          .options = options,
          .make = make};
}

}  // namespace cubicbench::search
