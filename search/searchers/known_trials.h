#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "scenarios/space/search_space.h"
#include "search/searchers/fitness.h"
#include "search/searchers/unproposed.h"

namespace cubicbench::search {

/// What a searcher was told of each configuration.
class KnownTrials {
 public:
  /// `space` must outlive this.
  explicit KnownTrials(const scenarios::SearchSpace& space) : space_(space) {}

  /// Returns the fitness of the trial. Requires a configuration of the space.
  Fitness add(const ToldTrial& trial) {
    const Fitness fitness = fitness_of(trial);
    if (!first_) first_ = fitness;
    if (fitness != *first_) tell_apart_ = true;
    known_[space_.number_of(trial.config)] = fitness;
    return fitness;
  }

  std::optional<Fitness> of(const scenarios::Configuration& config) const {
    const auto found = known_.find(space_.number_of(config));
    return found == known_.end() ? std::nullopt : std::optional(found->second);
  }

  /// Were any two trials worth different things? While none were, searchers propose at random.
  bool tell_apart() const { return tell_apart_; }

 private:
  const scenarios::SearchSpace& space_;
  std::unordered_map<std::uint64_t, Fitness> known_;  ///< by number; asked for single ones alone
  std::optional<Fitness> first_;
  bool tell_apart_ = false;
};

/// Calls `draw` until it returns a configuration that was never proposed, which is taken. One that
/// was told before is no launch: `learn` hears at once what it was worth. Nothing when a hundred
/// draws find none. `draw` returns an optional of a struct with a `config`, a configuration of the
/// space; `learn` takes that struct and its fitness.
template <typename Draw, typename Learn>
auto fresh_draw(Unproposed& unproposed, const KnownTrials& known, Draw draw, Learn learn)
    -> decltype(draw()) {
  constexpr int draws_max = 100;
  for (int i = 0; i < draws_max; ++i) {
    auto drawn = draw();
    if (!drawn) continue;
    if (unproposed.take(drawn->config)) return drawn;
    if (const std::optional<Fitness> fitness = known.of(drawn->config)) learn(*drawn, *fitness);
  }
  return std::nullopt;
}

}  // namespace cubicbench::search
