#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "search/searchers/charge.h"
#include "search/searchers/fitness.h"
#include "search/searchers/registry.h"
#include "search/searchers/unproposed.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;

constexpr std::array hyperband_options{
    integer_option("eta", 4, 2, 8,
                   "one in so many of a rung is launched again, with so many times its steps"),
    number_option("least", 0.0625, 0.015625, 1.0,
                  "least share of a job's steps that is launched; 1: whole launches alone")};

/// Configurations of a bracket and of each of its rungs: how many, and at which share of the steps.
struct Bracket {
  std::size_t configurations = 0;
  std::vector<double> shares;  ///< of the first rung first; the last is 1
};

/// The brackets of one round of Hyperband [Li18, Algorithm 1], in its order: of s_max + 1 rungs
/// first. Shares are powers of 1 / eta down to the least that is not below `least`.
std::vector<Bracket> brackets_of(std::int64_t eta, double least) {
  std::vector<double> powers{1.0};
  while (powers.back() * static_cast<double>(eta) * least <= 1.0) {
    powers.push_back(powers.back() * static_cast<double>(eta));
  }
  std::vector<Bracket> brackets;
  for (std::size_t rungs = powers.size(); rungs >= 1; --rungs) {
    const auto first = static_cast<std::size_t>(powers[rungs - 1]);
    Bracket bracket{.configurations = (powers.size() * first + rungs - 1) / rungs, .shares = {}};
    for (std::size_t i = rungs; i-- > 0;) bracket.shares.push_back(1.0 / powers[i]);
    brackets.push_back(std::move(bracket));
  }
  return brackets;
}

/// What the short launches of a configuration came to.
struct Glimpse {
  Configuration config;
  double fidelity = 0.0;             ///< of the last
  std::optional<Fitness> fitness{};  ///< nothing while it runs, or is not told

  bool success() const { return fitness && fitness->success; }
  auto rank() const { return std::tuple(success(), fidelity, success() ? fitness->value : 0.0); }
};

class Hyperband final : public Searcher {
 public:
  Hyperband(const SearchContext& context, std::int64_t eta, double least)
      : space_(context.space),
        eta_(static_cast<std::size_t>(eta)),
        brackets_(brackets_of(eta, least)),
        unproposed_(context.space, context.seed),
        state_{.launches_left = static_cast<double>(context.trials)} {
    if (!context.baseline) return;
    unproposed_.take(*context.baseline);
    whole_.insert(space_.number_of(*context.baseline));
  }

  void observe(const StudyState& state) override { state_ = state; }

  std::optional<Proposal> ask() override {
    waits_ = false;
    if (rests_) return rest();
    while (asked_ == rung_.size()) {
      if (share() < whole_launch && !has_ended()) return wait();
      if (!promote() && !begin_bracket()) return rest();
    }
    // A short launch is worth nothing unless the best of them can run whole afterwards.
    rests_ = share() < whole_launch && !is_left_for(charge_of(share()) + charge_of(whole_launch));
    if (rests_) return rest();
    if (!is_left_for(charge_of(share()))) return std::nullopt;
    return proposal(rung_[asked_++], share());
  }

  bool waits() const override { return waits_; }

  void tell(const ToldTrial& trial) override {
    const auto known = glimpse_of_.find(space_.number_of(trial.config));
    if (known == glimpse_of_.end()) return;
    Glimpse& glimpse = glimpses_[known->second];
    if (glimpse.fidelity == trial.fidelity) glimpse.fitness = fitness_of(trial);
  }

 private:
  bool is_left_for(double charge) const { return charge <= state_.launches_left; }
  double share() const { return rung_.empty() ? whole_launch : bracket().shares[level_]; }
  const Bracket& bracket() const { return brackets_[(begun_ - 1) % brackets_.size()]; }
  /// Configurations of a rung of the bracket if enough of them run: fewer by eta than of the one
  /// before.
  std::size_t planned(std::size_t level) const {
    std::size_t count = bracket().configurations;
    for (; level > 0; --level) count /= eta_;
    return count;
  }
  const Glimpse& glimpse_of(const Configuration& config) const {
    return glimpses_[glimpse_of_.at(space_.number_of(config))];
  }
  bool was_whole(const Configuration& config) const {
    return whole_.contains(space_.number_of(config));
  }

  std::optional<Proposal> wait() {
    waits_ = true;
    return std::nullopt;
  }

  /// Has every short launch of the rung ended that was asked for? Of some nothing may be told.
  bool has_ended() const {
    if (state_.running == 0) return true;
    return std::ranges::all_of(std::span(rung_).first(asked_), [&](const Configuration& config) {
      return was_whole(config) || glimpse_of(config).fitness.has_value();
    });
  }

  /// Goes on to the next rung with the best of this one, as far as they ran; of equal ones those of
  /// the lowest trials. False when nothing is left of the bracket.
  bool promote() {
    if (share() == whole_launch) return false;
    std::vector<Configuration> next;
    for (const Configuration& config : rung_) {
      if (glimpse_of(config).success()) next.push_back(config);
    }
    std::ranges::stable_sort(next, std::ranges::greater(), [&](const Configuration& config) {
      return glimpse_of(config).fitness->value;
    });
    next.resize(std::min(next.size(), planned(level_ + 1)));
    if (next.empty()) return false;
    rung_ = std::move(next);
    asked_ = 0;
    ++level_;
    pass_rungs();
    return true;
  }

  /// A rung that would promote all of its configurations decides nothing and is left out.
  void pass_rungs() {
    while (level_ + 1 < bracket().shares.size() && rung_.size() <= planned(level_ + 1)) ++level_;
  }

  /// False when the space has no configuration left that was never proposed.
  bool begin_bracket() {
    rung_.clear();
    asked_ = 0;
    if (unproposed_.empty()) return false;
    ++begun_;
    level_ = 0;
    while (rung_.size() < bracket().configurations) {
      auto config = unproposed_.take_random();
      if (!config) break;
      rung_.push_back(std::move(*config));
    }
    pass_rungs();
    return true;
  }

  Proposal proposal(const Configuration& config, double fidelity) {
    const std::uint64_t number = space_.number_of(config);
    if (fidelity == whole_launch) {
      whole_.insert(number);
    } else {
      const auto [known, is_new] = glimpse_of_.try_emplace(number, glimpses_.size());
      if (is_new) glimpses_.push_back({.config = config});
      glimpses_[known->second].fidelity = fidelity;
      glimpses_[known->second].fitness.reset();
    }
    return {.config = config, .round = static_cast<std::int64_t>(begun_) - 1, .fidelity = fidelity};
  }

  /// Whole launches of what never ran whole: of those that ran in short ones, the best first; then
  /// of what has not run at all; then of those that failed, or of which nothing was told.
  std::optional<Proposal> rest() {
    if (share() < whole_launch && !has_ended()) return wait();
    if (!is_left_for(charge_of(whole_launch))) return std::nullopt;
    const Glimpse* const best = best_glimpse();
    if (best != nullptr && best->success()) return proposal(best->config, whole_launch);
    while (asked_ < rung_.size()) {
      const Configuration& config = rung_[asked_++];
      if (!was_whole(config)) return proposal(config, whole_launch);
    }
    if (const auto config = unproposed_.take_random()) return proposal(*config, whole_launch);
    if (best != nullptr) return proposal(best->config, whole_launch);
    return std::nullopt;
  }

  const Glimpse* best_glimpse() const {
    const Glimpse* best = nullptr;
    for (const Glimpse& glimpse : glimpses_) {
      if (was_whole(glimpse.config)) continue;
      if (best == nullptr || glimpse.rank() > best->rank()) best = &glimpse;
    }
    return best;
  }

  const scenarios::SearchSpace& space_;
  std::size_t eta_;
  std::vector<Bracket> brackets_;
  Unproposed unproposed_;
  StudyState state_;
  std::size_t begun_ = 0;            ///< brackets
  std::size_t level_ = 0;            ///< rung of the bracket
  std::vector<Configuration> rung_;  ///< in the order in which they are launched
  std::size_t asked_ = 0;            ///< of the rung
  std::vector<Glimpse> glimpses_;    ///< in the order in which they were launched first
  std::unordered_map<std::uint64_t, std::size_t> glimpse_of_;  ///< by number, places of those
  std::unordered_set<std::uint64_t> whole_;  ///< numbers of what was launched whole
  bool rests_ = false;                       ///< the budget covers no short launch any more
  bool waits_ = false;
};

std::unique_ptr<Searcher> make_hyperband(const SearcherSpec& spec, const SearchContext& context) {
  return std::make_unique<Hyperband>(context, static_cast<std::int64_t>(option_of(spec, "eta")),
                                     option_of(spec, "least"));
}

}  // namespace

/// Hyperband [Li18]: brackets of successive halving, from many configurations in short launches to
/// few in whole ones, again and again until the budget is spent. With eta = 4 and a least share of
/// 1/16: 16 configurations at 1/16, 4 at 1/4, 1 whole; 6 at 1/4, 1 whole; 3 whole.
///
/// Configurations are drawn uniformly, in the order of `random` with the same seed, each once. A
/// rung promotes its best, of equal ones the lowest trials; what failed is never promoted, so fewer
/// go on where few ran, and a rung that would promote all of them is left out. A rung waits for its
/// launches; with several slots the next bracket begins while the whole launches of the last rung
/// still run. What is left at the end is spent on whole launches of the best that never ran whole
/// rather than on short ones that nothing follows. A small space is gone through in the same way,
/// once all of it was proposed. The paper's resource is here the share of a job's steps, and its
/// budget counts what launches are charged [search/searchers/charge.h].
SearcherEntry hyperband_searcher() {
  return {.name = "hyperband",
          .summary =
              "brackets of successive halving: many short launches, the best of them again, "
              "longer",
          .options = hyperband_options,
          .make = make_hyperband,
          .launches_short = true};
}

}  // namespace cubicbench::search
