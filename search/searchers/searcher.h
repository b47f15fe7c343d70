#pragma once

#include <cstdint>
#include <optional>

#include "scenarios/problem/trial_outcome.h"
#include "scenarios/space/search_space.h"
#include "search/searchers/charge.h"

namespace cubicbench::search {

/// A configuration to launch, and the round of the searcher that it belongs to (0 when it has
/// none).
struct Proposal {
  scenarios::Configuration config;
  std::int64_t round = 0;
  double fidelity = whole_launch;  ///< see search/searchers/charge.h
};

/// The outcome of a trial as its searcher is told [docs/reference/wire-protocols.md].
struct ToldTrial {
  std::int64_t trial = 0;  ///< number of the proposal, from 0; below 0: see Searcher::remember()
  scenarios::Configuration config;
  scenarios::TrialState state = scenarios::TrialState::complete;
  scenarios::Reason reason = scenarios::Reason::none;  ///< none also where it is not told
  std::optional<double> score;         ///< greater is better, whatever the objective's direction
  std::optional<double> over_bytes;    ///< memory beyond the limit, where it is told
  std::optional<double> peak_bytes{};  ///< memory that a complete trial took, where it is told
  double cost_gpu_hours = 0.0;
  double fidelity = whole_launch;
};

/// The account of a study between two launches.
struct StudyState {
  double launches_left = 0.0;  ///< of the budget, in whole launches
  std::int64_t running = 0;    ///< launches, told or not when they end
};

/// Proposes configurations and learns from outcomes. A pure function of (space, seed, options) and
/// of the order of calls: equal calls, equal proposals. Budgets, retries, clocks and records are
/// the study's. Not to be shared by threads.
class Searcher {
 public:
  Searcher() = default;
  Searcher(const Searcher&) = delete;
  Searcher& operator=(const Searcher&) = delete;
  virtual ~Searcher() = default;

  /// Called before a row of asks: so many launches may be started now.
  virtual void announce(std::int64_t /*launches*/) {}

  /// Called before each ask. Searchers that launch short ones need it; others need not care.
  virtual void observe(const StudyState& /*state*/) {}

  /// The next configuration, a canonical one of the space; nothing when the searcher has no more.
  /// The study ends where what is left does not cover the charge of the proposal.
  /// With several slots it is called again before earlier trials are told.
  virtual std::optional<Proposal> ask() = 0;

  /// After an ask without an answer: it has no more for now, and goes on once a trial has ended.
  virtual bool waits() const { return false; }

  /// Called once a trial at most, in the order in which trials end.
  virtual void tell(const ToldTrial& trial) = 0;

  /// Called before the first ask, once for each launch that was known before the study began. It is
  /// no trial of the study: its number is below 0, and its configuration may be proposed again.
  virtual void remember(const ToldTrial& known) { tell(known); }

  /// What it recommends at the end of its study, one of the configurations that were launched;
  /// nothing: the one whose measurements have the best mean, of equals the first.
  virtual std::optional<scenarios::Configuration> recommend() { return std::nullopt; }
};

}  // namespace cubicbench::search
