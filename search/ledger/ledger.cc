#include "search/ledger/ledger.h"

#include <utility>

#include "scenarios/problem/granted_baseline.h"
#include "search/journal/journal.h"
#include "search/journal/placed_config.h"
#include "search/journal/truth_line.h"
#include "sim/base/check.h"
#include "support/json/canonical.h"

namespace cubicbench::search {

using scenarios::Configuration;
using scenarios::Reason;

namespace {

constexpr const char* not_deterministic = "the client is not deterministic: ";

}  // namespace

Ledger::Ledger(const scenarios::Scenario& scenario, const StudySpec& spec, Backend& backend,
               StudyLog& log, StudyControl control)
    : scenario_(scenario),
      spec_(spec),
      backend_(backend),
      log_(log),
      control_(std::move(control)),
      teller_(spec.telling, scenario.objective),
      summary_(summary_of(spec)) {
  SIM_ASSERT(spec.slots >= 1, spec.slots);
  if (spec.start == Start::baseline) baseline_ = scenarios::granted_baseline(scenario);
  SIM_ASSERT(spec.start == Start::none || baseline_.has_value(), spec.scenario);
  if (is_outside(spec.searcher) || is_external(spec.searcher)) recorded_ = log.recorded();
  if (is_outside(spec.searcher)) log.require_every_launch(recorded_);
}

std::vector<ToldTrial> Ledger::told_first() {
  std::vector<ToldTrial> known;
  if (!spec_.warm_start) return known;
  const std::vector<KnownLaunch>& launches = spec_.warm_start->launches;
  std::int64_t trial = -std::ssize(launches);
  for (const KnownLaunch& launch : launches) {
    const auto config = placed_config(scenario_.space, launch.config);
    // A recorded search that is played has fewer configurations than the scenario.
    if (config) {
      if (auto told = teller_.told(trial, *config, launch.outcome)) known.push_back(*told);
    }
    ++trial;
  }
  return known;
}

bool Ledger::may_launch() {
  stopped_ = stopped_ || control_.stopped();
  return !stopped_ && !is_spent();
}

bool Ledger::covers(double fidelity) const { return charge_of(fidelity) <= left(); }

std::string Ledger::why_not() const {
  if (closed_) return "The study is closed.";
  if (stopped_) return "The study was stopped.";
  return "The budget of " + std::to_string(spec_.trials) + " launches is spent.";
}

std::optional<EndedTrial> Ledger::run_baseline() {
  SIM_ASSERT(baseline_.has_value());
  if (!may_launch()) return std::nullopt;
  begin({.config = *std::exchange(baseline_, std::nullopt)});
  return next_end();
}

std::int64_t Ledger::launch(Proposal proposal) {
  SIM_ASSERT(!baseline_.has_value());
  if (!may_launch()) throw Refused(why_not());
  if (!has_free_slot()) {
    throw Refused(spec_.slots == 1 ? "A launch is still running; wait for its outcome first."
                                   : "All " + std::to_string(spec_.slots) + " slots are in use.");
  }
  require_fidelity(proposal.fidelity);
  require_recorded(proposal);
  return begin(std::move(proposal));
}

void Ledger::require_fidelity(double fidelity) const {
  if (!(fidelity > 0.0 && fidelity <= whole_launch)) {
    throw Refused("A fidelity is a number above 0 and at most 1, got " +
                  support::shortest(fidelity) + ".");
  }
  if (fidelity < whole_launch && !backend_.runs_short_launches()) {
    throw Refused("Jobs run whole here: a fidelity of " + support::shortest(fidelity) +
                  " needs a simulated scenario.");
  }
  if (covers(fidelity)) return;
  throw Refused("The launch would be charged " + support::shortest(charge_of(fidelity)) + ", and " +
                support::shortest(left()) + " of the budget of " + std::to_string(spec_.trials) +
                " launches is left.");
}

/// A client that sees labels is not told the names behind them.
void Ledger::require_recorded(const Proposal& proposal) const {
  const auto recorded = recorded_.configs.find(next_trial_);
  if (recorded == recorded_.configs.end()) {
    if (!control_.was_closed && !recorded_.recommended) return;
    throw NotDeterministic(std::string(not_deterministic) +
                           "it proposes more than the journal has, which is closed");
  }
  const ConfigText text = config_text(scenario_.space, proposal.config);
  const double fidelity = recorded_.fidelity_of(next_trial_);
  const std::string trial = "its proposal of trial " + std::to_string(next_trial_);
  if (text == recorded->second && proposal.fidelity == fidelity) return;
  if (text == recorded->second) {
    throw NotDeterministic(not_deterministic + trial + " has fidelity " +
                           support::shortest(proposal.fidelity) + ", the journal has " +
                           support::shortest(fidelity));
  }
  throw NotDeterministic(not_deterministic + trial +
                         (spec_.permute ? " is another than the journal has"
                                        : " is " + config_object(text) + ", the journal has " +
                                              config_object(recorded->second)));
}

void Ledger::require_recorded_end(const std::optional<Configuration>& recommended) const {
  std::optional<ConfigText> text;
  if (recommended) text = config_text(scenario_.space, *recommended);
  const bool was_closed = control_.was_closed || recorded_.recommended;
  if (recorded_.configs.contains(next_trial_)) {
    throw NotDeterministic(std::string(not_deterministic) + "it ends where the journal goes on");
  }
  if (was_closed && text != recorded_.recommended) {
    throw NotDeterministic(std::string(not_deterministic) +
                           "it recommends another configuration than the journal");
  }
}

std::int64_t Ledger::begin(Proposal proposal) {
  const std::int64_t trial = next_trial_++;
  if (was_launched(proposal.config)) ++repeats_;
  start({.trial = trial,
         .round = proposal.round,
         .config = std::move(proposal.config),
         .fidelity = proposal.fidelity});
  return trial;
}

/// The charge comes first, so that whatever the backend does, the launch is paid.
void Ledger::start(Launch launch) {
  launch.attempt = attempts_[launch.config]++;
  ++launches_of_trial_[launch.trial];
  charged_ += charge_of(launch.fidelity);
  ++running_;
  backend_.start(std::move(launch));
}

std::optional<EndedTrial> Ledger::next_end() {
  while (waits()) {
    if (!control_.finish_running && !backend_.await(control_.stopped)) {
      stopped_ = true;
      return std::nullopt;
    }
    Finished finished = backend_.wait();
    --running_;
    record(finished);
    const std::int64_t trial = finished.launch.trial;
    const bool retry = finished.outcome.reason == Reason::infra &&
                       launches_of_trial_[trial] <= scenario_.truth.max_retries && may_launch() &&
                       covers(finished.launch.fidelity);
    if (!retry) {
      launches_of_trial_.erase(trial);
      EndedTrial ended{.trial = trial,
                       .told = teller_.told(trial, finished.launch.config, finished.outcome)};
      if (ended.told) ended.told->fidelity = finished.launch.fidelity;
      return ended;
    }
    ++retries_;
    start(std::move(finished.launch));
    stopped_ = stopped_ || control_.stopped();
  }
  return std::nullopt;
}

std::optional<EndedTrial> Ledger::evaluate(Configuration config, double fidelity) {
  if (is_running()) throw Refused("A launch is still running; wait for its outcome first.");
  launch(Proposal{.config = std::move(config), .fidelity = fidelity});
  return next_end();
}

void Ledger::record(const Finished& finished) {
  const Launch& launch = finished.launch;
  const bool whole = launch.fidelity == whole_launch;
  const JournalLine line{.trial = launch.trial,
                         .attempt = launch.attempt,
                         .config = config_text(scenario_.space, launch.config),
                         .outcome = finished.outcome,
                         .started_h = finished.started_h,
                         .finished_h = finished.finished_h,
                         .round = launch.round,
                         .fidelity = whole ? std::nullopt : std::optional(launch.fidelity)};
  std::optional<TruthLine> truth;
  if (finished.true_value) {
    truth = {.trial = launch.trial, .attempt = launch.attempt, .truth = *finished.true_value};
  }
  log_.record(line, truth);
  if (finished.outcome.state == scenarios::TrialState::complete) {
    (whole ? measured_ : glimpsed_).insert(launch.config);
  }
  count_launch(scenario_.objective, line, summary_);
  ended_ += charge_of(launch.fidelity);
  for (; static_cast<double>(reported_ + 1) <= ended_; ++reported_) control_.launch_done();
}

void Ledger::close(const std::optional<Configuration>& recommended) {
  if (closed_) throw Refused("The study is closed.");
  if (is_running()) throw Refused("A launch is still running; wait for its outcome first.");
  require_recorded_end(recommended);
  if (recommended) {
    if (!was_launched(*recommended)) {
      throw Refused("A configuration that was never launched cannot be recommended.");
    }
    if (!measured_.contains(*recommended) && glimpsed_.contains(*recommended)) {
      throw Refused("A configuration that ran in short launches alone cannot be recommended.");
    }
    if (!measured_.contains(*recommended)) {
      throw Refused("A configuration all of whose launches failed cannot be recommended.");
    }
    log_.recommend(config_text(scenario_.space, *recommended));
  }
  log_.require_end();
  backend_.close();
  closed_ = true;
}

Balance Ledger::balance() const {
  return {.launches = charged_,
          .launches_left = left(),
          .trials = next_trial_,
          .retries = retries_,
          .repeats = repeats_,
          .gpu_hours = summary_.cost_gpu_hours};
}

}  // namespace cubicbench::search
