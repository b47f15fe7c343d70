#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "search/permuted/permuted_searcher.h"
#include "search/searchers/charge.h"
#include "search/searchers/registry.h"
#include "sim/base/philox.h"

namespace cubicbench::search {

/// The searcher with its defaults, but for those that learn: a predictor that learns for long keeps
/// no more promises than one that hardly does.
inline std::string quick_text(std::string_view name) {
  std::string text(name);
  if (name == "cubicml") text += ":steps=20";
  if (name == "constrained-gp") text += ":keep=40:pairs=40:random=20";
  if (name == "banana") text += ":ensemble=2:hidden=4:epochs=4";
  if (name == "forest") text += ":trees=4:best=2:mutations=2:random=20";
  if (name == "gp") text += ":keep=40:best=2:mutations=2:random=20";
  return text;
}

/// Options that make searchers leave their first phase soon, or take another way.
inline const std::vector<std::string>& further_texts() {
  static const std::vector<std::string> texts{
      "constrained-gp:first=2:pairs=5:random=3:keep=10",
      "annealing:hot=0.1:cold=0.1",
      "cma-es:population=4:deviations=2:margin=5",
      "differential-evolution:population=4:factor=0.9:crossover=0.9",
      "genetic:population=4:mutation=2",
      "hyperband:eta=2:least=0.25",
      "hyperband:eta=3:least=1",
      "random:replacement=1",
      "reinforce:rate=5:momentum=0",
      "evolution:population=1:sample=1",
      "evolution:population=6:sample=3",
      "cubicml:random=3:round=4:pairs=20:judged=5:steps=5",
      "cubicml:paper=1:ensemble=2:epochs=4:steps=40",
      "cubicml:paper=1:random=1:round=5:ensemble=1:hidden=3:epochs=2:fits=1:steps=5",
      "cubicml:paper=1:random=6:round=7:ensemble=2:hidden=4:epochs=3:fits=1:steps=10:policies=1",
      "banana:first=3:round=3:candidates=20:best=2:ensemble=2:hidden=3:epochs=2",
      "forest:first=2:trees=2:best=2:mutations=2:random=5:interleaved=0.5:memory=0",
      "gp:first=2:best=1:mutations=3:random=5:keep=10:log=1",
      "tpe:first=2:candidates=3",
      "tpe-multivariate:first=2:candidates=3"};
  return texts;
}

/// After the text of a searcher: it sees a permuted space.
inline constexpr std::string_view permuted_mark = " permuted";

inline std::unique_ptr<Searcher> make(
    const std::string& text, const scenarios::SearchSpace& space, std::uint64_t seed,
    std::int64_t trials = 200, const std::optional<scenarios::Configuration>& baseline = {}) {
  const SearchContext context{.space = space, .seed = seed, .trials = trials, .baseline = baseline};
  const bool permuted = text.ends_with(permuted_mark);
  const SearcherSpec spec = parse_searcher(
      std::string_view(text).substr(0, text.size() - (permuted ? permuted_mark.size() : 0)),
      "test");
  return permuted ? make_permuted_searcher(spec, context, permutation_key("test", seed))
                  : make_searcher(spec, context);
}

inline ToldTrial told(std::int64_t trial, const scenarios::Configuration& config) {
  return {.trial = trial,
          .config = config,
          .state = scenarios::TrialState::complete,
          .reason = scenarios::Reason::none,
          .score = {},
          .over_bytes = {},
          .cost_gpu_hours = 1.0};
}

/// Every kind of outcome there is, in an order that depends on the trial alone.
inline ToldTrial mixed_outcome(std::int64_t trial, const scenarios::Configuration& config) {
  constexpr std::array reasons{scenarios::Reason::none,     scenarios::Reason::invalid,
                               scenarios::Reason::oom_init, scenarios::Reason::oom_late,
                               scenarios::Reason::timeout,  scenarios::Reason::infra,
                               scenarios::Reason::numeric};
  const std::uint64_t draw = sim::uniform_below({.seed = 4, .entity = std::uint64_t(trial)}, 20);
  ToldTrial outcome = told(trial, config);
  if (draw < reasons.size()) {
    outcome.state = scenarios::TrialState::fail;
    outcome.reason = reasons[draw];
    if (draw % 2 == 0) outcome.over_bytes = 1e9 * static_cast<double>(trial % 5);
    return outcome;
  }
  if (draw == 7) outcome.state = scenarios::TrialState::pruned;
  if (draw == 8) return outcome;  // complete, but no score
  outcome.score = static_cast<double>(draw) - 10.0;
  if (draw == 9) outcome.score = std::numeric_limits<double>::infinity();
  if (draw == 10) outcome.score = -std::numeric_limits<double>::infinity();
  if (draw == 11) outcome.score = std::numeric_limits<double>::quiet_NaN();
  return outcome;
}

using Outcome = std::function<ToldTrial(std::int64_t, const scenarios::Configuration&)>;

/// Asks until a budget of `trials` launches is spent or the searcher ends, with `slots` running at
/// a time, of which the one asked for last ends first in every other turn. Every `dropped`-th is
/// never told (0: all are).
inline std::vector<Proposal> drive_proposals(Searcher& searcher, std::int64_t trials,
                                             const Outcome& outcome, std::size_t slots = 1,
                                             std::int64_t dropped = 0) {
  std::vector<Proposal> proposed;
  std::deque<std::int64_t> running;
  double left = static_cast<double>(trials);
  bool ended = false;
  while (true) {
    while (!ended && running.size() < slots && left > 0.0) {
      searcher.observe(
          {.launches_left = left, .running = static_cast<std::int64_t>(running.size())});
      std::optional<Proposal> proposal = searcher.ask();
      ended = proposal ? charge_of(proposal->fidelity) > left : !searcher.waits();
      if (ended || !proposal) break;
      left -= charge_of(proposal->fidelity);
      running.push_back(std::ssize(proposed));
      proposed.push_back(std::move(*proposal));
    }
    if (running.empty()) return proposed;
    if (proposed.size() % 2 == 0) std::rotate(running.begin(), running.end() - 1, running.end());
    const std::int64_t trial = running.front();
    running.pop_front();
    if (dropped != 0 && trial % dropped == 0) continue;
    const Proposal& proposal = proposed[static_cast<std::size_t>(trial)];
    ToldTrial told = outcome(trial, proposal.config);
    told.fidelity = proposal.fidelity;
    searcher.tell(told);
  }
}

/// The configurations of the same.
inline std::vector<scenarios::Configuration> drive(Searcher& searcher, std::int64_t trials,
                                                   const Outcome& outcome, std::size_t slots = 1,
                                                   std::int64_t dropped = 0) {
  std::vector<scenarios::Configuration> proposed;
  for (Proposal& proposal : drive_proposals(searcher, trials, outcome, slots, dropped)) {
    proposed.push_back(std::move(proposal.config));
  }
  return proposed;
}

}  // namespace cubicbench::search
