#include "search/study/study.h"

#include <map>
#include <utility>

#include "scenarios/problem/granted_baseline.h"
#include "scenarios/problem/score.h"
#include "search/journal/study_log.h"
#include "search/journal/truth_line.h"
#include "sim/base/check.h"
#include "support/json/json_document.h"

namespace cubicbench::search {
namespace {

using scenarios::Reason;
using scenarios::TrialState;

/// Adds a launch to what the study came to.
void count_launch(const scenarios::Objective& objective, const JournalLine& line,
                  StudySummary& summary) {
  const scenarios::TrialOutcome& outcome = line.outcome;
  ++summary.trials;
  summary.cost_gpu_hours += outcome.cost_gpu_hours;
  if (outcome.state == TrialState::fail) ++summary.failed;
  if (outcome.state != TrialState::complete || !outcome.value) return;
  const double score = score_of(objective, *outcome.value);
  if (summary.best) {
    const double best = score_of(objective, summary.best->value);
    if (score < best || (score == best && line.trial > summary.best->trial)) return;
  }
  summary.best = {.trial = line.trial, .value = *outcome.value, .config = line.config};
}

/// One run of the loop: what was launched, what runs, what came of it.
class Study {
 public:
  Study(const scenarios::Scenario& scenario, const StudySpec& spec, Searcher& searcher,
        Backend& backend, StudyLog& log, const StudyControl& control)
      : scenario_(scenario),
        spec_(spec),
        searcher_(searcher),
        backend_(backend),
        log_(log),
        control_(control),
        teller_(spec.telling, scenario.objective) {
    summary_ = summary_of(spec);
    if (spec.start == Start::baseline) baseline_ = scenarios::granted_baseline(scenario);
    SIM_ASSERT(spec.start == Start::none || baseline_.has_value(), spec.scenario);
  }

  StudySummary run() {
    while (true) {
      fill_slots();
      if (running_ == 0 || (stopped_ && !control_.finish_running)) break;
      end_of_launch(backend_.wait());
    }
    if (!stopped_) {
      recommend();
      log_.require_end();
    }
    return std::move(summary_);
  }

 private:
  bool may_launch() {
    stopped_ = stopped_ || control_.stopped();
    return !stopped_ && launched_ < spec_.trials;
  }

  /// The searcher is told of the baseline before it is asked for anything.
  void run_baseline() {
    launch({.trial = next_trial_++, .round = 0, .config = *std::exchange(baseline_, std::nullopt)});
    while (running_ > 0 && (!stopped_ || control_.finish_running)) end_of_launch(backend_.wait());
  }

  void fill_slots() {
    if (baseline_ && may_launch()) run_baseline();
    while (!searcher_is_done_ && running_ < spec_.slots && may_launch()) {
      std::optional<Proposal> proposal = searcher_.ask();
      if (proposal) {
        launch({.trial = next_trial_++,
                .round = proposal->round,
                .config = std::move(proposal->config)});
      }
      searcher_is_done_ = !proposal.has_value();
    }
  }

  void launch(Launch launch) {
    launch.attempt = attempts_[launch.config]++;
    ++launches_of_trial_[launch.trial];
    ++launched_;
    ++running_;
    backend_.start(std::move(launch));
  }

  void end_of_launch(Finished finished) {
    --running_;
    record(finished);
    const bool retry = finished.outcome.reason == Reason::infra &&
                       launches_of_trial_[finished.launch.trial] <= scenario_.truth.max_retries &&
                       may_launch();
    if (retry) {
      launch(std::move(finished.launch));
    } else {
      tell(finished);
    }
  }

  void record(const Finished& finished) {
    const Launch& launch = finished.launch;
    const JournalLine line{.trial = launch.trial,
                           .attempt = launch.attempt,
                           .config = config_text(scenario_.space, launch.config),
                           .outcome = finished.outcome,
                           .started_h = finished.started_h,
                           .finished_h = finished.finished_h,
                           .round = launch.round};
    std::optional<TruthLine> truth;
    if (finished.true_value) {
      truth = {.trial = launch.trial, .attempt = launch.attempt, .truth = *finished.true_value};
    }
    log_.record(line, truth);
    count_launch(scenario_.objective, line, summary_);
    control_.launch_done();
  }

  void recommend() {
    const std::optional<scenarios::Configuration> recommended = searcher_.recommend();
    if (!recommended) return;
    SIM_ASSERT(attempts_.contains(*recommended), spec_.searcher.text);
    log_.recommend(config_text(scenario_.space, *recommended));
  }

  void tell(const Finished& finished) {
    const Launch& launch = finished.launch;
    launches_of_trial_.erase(launch.trial);
    if (const auto told = teller_.told(launch.trial, launch.config, finished.outcome)) {
      searcher_.tell(*told);
    }
  }

  const scenarios::Scenario& scenario_;
  const StudySpec& spec_;
  Searcher& searcher_;
  Backend& backend_;
  StudyLog& log_;
  const StudyControl& control_;
  Teller teller_;
  StudySummary summary_;
  std::optional<scenarios::Configuration> baseline_{};  ///< until it is launched
  std::map<scenarios::Configuration, std::int64_t> attempts_;
  std::map<std::int64_t, std::int64_t> launches_of_trial_;  ///< of the trials that run
  std::int64_t launched_ = 0;
  std::int64_t running_ = 0;
  std::int64_t next_trial_ = 0;
  bool searcher_is_done_ = false;
  bool stopped_ = false;
};

}  // namespace

std::string study_name(const StudySpec& spec) {
  return spec.scenario + "." + std::to_string(spec.instance) + "." +
         searcher_slug(spec.searcher.text) + "." + std::to_string(spec.seed);
}

JournalHeader journal_header(const StudySpec& spec, const std::string& scenario_sha256,
                             const std::string& truth_sha256) {
  JournalHeader header;
  header.version = support::own_version();
  header.scenario = spec.scenario;
  header.scenario_sha256 = scenario_sha256;
  header.truth_sha256 = truth_sha256;
  header.instance = spec.instance;
  header.salt_sha256 = spec.salt_sha256;
  header.searcher = spec.searcher.text;
  header.backend = spec.backend;
  header.slots = spec.slots;
  header.start = name_of(spec.start);
  header.permute = spec.permute;
  header.searcher_options = spec.searcher.options;
  header.telling = name_of(spec.telling);
  header.seed = spec.seed;
  header.trials = spec.trials;
  return header;
}

StudySummary summary_of(const StudySpec& spec) {
  return {.study = study_name(spec),
          .scenario = spec.scenario,
          .instance = spec.instance,
          .searcher = spec.searcher.text,
          .seed = spec.seed};
}

StudySummary summary_of(const StudySpec& spec, const scenarios::Objective& objective,
                        std::span<const JournalLine> launches) {
  StudySummary summary = summary_of(spec);
  for (const JournalLine& line : launches) count_launch(objective, line, summary);
  return summary;
}

StudySummary run_study(const scenarios::Scenario& scenario, const StudySpec& spec,
                       Searcher& searcher, Backend& backend, StudyLog& log,
                       const StudyControl& control) {
  SIM_ASSERT(spec.slots >= 1, spec.slots);
  return Study(scenario, spec, searcher, backend, log, control).run();
}

}  // namespace cubicbench::search
