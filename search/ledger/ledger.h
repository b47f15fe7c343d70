#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/problem/scenario.h"
#include "search/backends/backend.h"
#include "search/journal/recorded_study.h"
#include "search/journal/study_log.h"
#include "search/searchers/searcher.h"
#include "search/study/study.h"
#include "search/study/telling.h"
#include "support/input_error.h"

namespace cubicbench::search {

/// What was asked of a study is not done, and costs nothing. `what()` is one sentence for whoever
/// asked: the budget is spent, the study is closed, a configuration was never launched.
class Refused : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Whoever drives a study from outside does something else than in an earlier run of it: nothing is
/// launched, and the journal stays as it is.
class NotDeterministic : public support::OutputError {
 public:
  using support::OutputError::OutputError;
};

/// What a study has spent, and what is left. Launches are counted by their charges
/// [search/searchers/charge.h]: integers as long as all were whole.
struct Balance {
  double launches = 0.0;       ///< charged, those that still run included
  double launches_left = 0.0;  ///< of the budget
  std::int64_t trials = 0;     ///< begun
  std::int64_t retries = 0;    ///< launches of a trial after its first, which `infra` had ended
  std::int64_t repeats = 0;    ///< trials whose configuration an earlier trial had
  double gpu_hours = 0.0;      ///< of the launches that have ended; there is no limit to them
};

/// A trial whose last launch has ended.
struct EndedTrial {
  std::int64_t trial = 0;
  std::optional<ToldTrial> told{};  ///< nothing where the telling says nothing of it
};

/// How a study is to be run, beside what it is.
struct StudyControl {
  /// Asked before anything is started: true ends the study early.
  std::function<bool()> stopped = [] { return false; };
  /// Called after each launch was recorded; where some are short, each time another whole one is
  /// spent.
  std::function<void()> launch_done = [] {};
  /// When stopped, wait for what is running and record it. For launches that end with us and cannot
  /// be repeated; a simulated one is repeated instead, so that the journal stays the beginning of
  /// the whole, and a job of a queue is waited for by whoever goes on.
  bool finish_running = false;
  bool was_closed = false;  ///< by an earlier run
};

/// The account of one study, the same for searchers inside, outside and agents. It charges a
/// launch, a short one in part, before it starts, records its outcome before it is told, launches
/// again what the infrastructure ended (under the same trial, up to the scenario's
/// `truth.max_retries` times while the budget lasts), and refuses what is beyond the budget. What
/// it hands out is what the study's telling says and no more: the truth goes from the backend to
/// the log.
///
/// Where `log` holds lines of an earlier run, the same are expected again instead of written, so
/// that resuming is doing the same again and refunds nothing. Of a searcher outside, which may do
/// anything, this is asked before it is launched. Not to be shared by threads.
class Ledger {
 public:
  /// `scenario`, `backend` and `log` must outlive it. Throws InputError where the searcher is
  /// outside and the log of an earlier run is damaged.
  Ledger(const scenarios::Scenario& scenario, const StudySpec& spec, Backend& backend,
         StudyLog& log, StudyControl control = {});

  /// The study grants the baseline, which has not been launched yet: the first thing to do.
  bool owes_baseline() const { return baseline_.has_value(); }
  /// Launches the baseline as trial 0 and waits for its end; nothing where the study was stopped
  /// first. Requires owes_baseline().
  std::optional<EndedTrial> run_baseline();

  /// Whether a launch may be started: the study is open, nobody has stopped it, and its budget
  /// covers at least a short launch.
  bool may_launch();
  /// Is too little left for any launch? So it is when the study is closed.
  bool is_spent() const { return left() <= start_up_share; }
  /// Is enough left for a launch of that fidelity?
  bool covers(double fidelity) const;
  std::int64_t free_slots() const { return spec_.slots - running_; }
  bool has_free_slot() const { return free_slots() > 0; }
  bool is_running() const { return running_ > 0; }

  /// Charges a launch and starts it as a new trial, whose number it returns. A configuration
  /// outside the space is a launch that ends as `invalid`. Throws Refused when nothing may be
  /// launched, what is left does not cover its charge, every slot is taken, or its fidelity is no
  /// number in (0, 1] or below 1 where the backend has no short launches; and NotDeterministic,
  /// which costs nothing either. Requires that no baseline is owed.
  std::int64_t launch(Proposal proposal);
  std::int64_t launch(scenarios::Configuration config, std::int64_t round = 0) {
    return launch(Proposal{.config = std::move(config), .round = round});
  }

  /// Waits for the trial that ends next. Nothing when none runs, or the study was stopped.
  std::optional<EndedTrial> next_end();

  /// Launches a configuration and waits for its end. Throws Refused as `launch` does, and while
  /// something runs. Nothing where the study was stopped first.
  std::optional<EndedTrial> evaluate(scenarios::Configuration config,
                                     double fidelity = whole_launch);

  /// What is known before the study begins, as its telling tells it, in order. Asked once, before
  /// anything is launched.
  std::vector<ToldTrial> told_first();

  /// Was it launched by this study, as the baseline or by a proposal?
  bool was_launched(const scenarios::Configuration& config) const {
    return attempts_.contains(config);
  }

  /// Did a whole launch of it by this study run to its end? Nothing else can be recommended.
  bool was_measured(const scenarios::Configuration& config) const {
    return measured_.contains(config);
  }

  /// Ends the study, with what its searcher recommends or, with nothing, the configuration whose
  /// measurements have the best mean. Throws Refused for one that was never launched or never ran
  /// whole, when something runs and when it is closed; NotDeterministic and InputError where an
  /// earlier run went further or closed it otherwise.
  void close(const std::optional<scenarios::Configuration>& recommended = std::nullopt);
  bool is_closed() const { return closed_; }
  /// Somebody has stopped it before its end.
  bool is_stopped() const { return stopped_; }
  /// Somebody wants it stopped, whether or not something was to be launched since.
  bool is_to_stop() const { return stopped_ || control_.stopped(); }

  /// What an earlier run has recorded, where the searcher is outside.
  const RecordedStudy& recorded() const { return recorded_; }

  Balance balance() const;
  /// What its searcher is to know before it is asked.
  StudyState state() const { return {.launches_left = left(), .running = running_}; }
  /// What it has come to so far.
  const StudySummary& summary() const { return summary_; }
  const scenarios::Scenario& scenario() const { return scenario_; }
  const StudySpec& spec() const { return spec_; }

 private:
  /// Sentence that says why nothing may be launched.
  std::string why_not() const;
  double left() const { return closed_ ? 0.0 : static_cast<double>(spec_.trials) - charged_; }
  void require_fidelity(double fidelity) const;
  void require_recorded(const Proposal& proposal) const;
  void require_recorded_end(const std::optional<scenarios::Configuration>& recommended) const;
  bool waits() const { return running_ > 0 && (!stopped_ || control_.finish_running); }
  std::int64_t begin(Proposal proposal);
  void start(Launch launch);
  void record(const Finished& finished);

  const scenarios::Scenario& scenario_;
  StudySpec spec_;
  Backend& backend_;
  StudyLog& log_;
  StudyControl control_;
  Teller teller_;
  StudySummary summary_;
  RecordedStudy recorded_{};
  std::optional<scenarios::Configuration> baseline_{};  ///< until it is launched
  std::map<scenarios::Configuration, std::int64_t> attempts_;
  std::set<scenarios::Configuration> measured_;  ///< that a whole launch of ran to its end
  std::set<scenarios::Configuration> glimpsed_;  ///< likewise a short one
  std::map<std::int64_t, std::int64_t> launches_of_trial_;  ///< of the trials that run
  double charged_ = 0.0;                                    ///< in whole launches
  double ended_ = 0.0;                                      ///< of it, what has ended
  std::int64_t reported_ = 0;                               ///< whole launches of that
  std::int64_t retries_ = 0;
  std::int64_t repeats_ = 0;
  std::int64_t running_ = 0;
  std::int64_t next_trial_ = 0;
  bool stopped_ = false;
  bool closed_ = false;
};

}  // namespace cubicbench::search
