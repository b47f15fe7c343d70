#include "search/backends/command_backend.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "scenarios/readers/campaign_reader.h"
#include "search/backends/command_protocol.h"
#include "search/backends/job_log.h"
#include "search/backends/real_launch.h"
#include "sim/base/check.h"
#include "support/hours.h"
#include "support/input_error.h"
#include "support/process.h"

namespace cubicbench::search {
namespace {

using std::chrono::milliseconds;
using Clock = support::Process::Clock;

constexpr int exit_not_executable = 126;
constexpr int exit_not_found = 127;
constexpr milliseconds patience{1000};

static_assert(scenarios::slots_max <= support::known_processes_max);

/// A launch on its way. The process writes into the logs, so it comes last and goes first.
struct Job {
  Launch launch;
  Clock::time_point started_at = Clock::now();
  JobLog out;
  JobLog err;
  std::unique_ptr<support::Process>
      process;  ///< null for a configuration that is outside the space

  bool ended() const { return process == nullptr || process->ended(); }
  Clock::time_point ended_at() const {
    return process == nullptr ? started_at : process->ended_at();
  }
};

ObservedJob observed_of(const Job& job) {
  if (job.process == nullptr) return {.last_line = invalid_answer};
  const support::ProcessEnd& end = job.process->end();
  return {.last_line = job.out.last_line(),
          .timed_out = end.timed_out,
          .out_of_memory = job.out.out_of_memory() || job.err.out_of_memory(),
          .reported_step = job.out.reported_step() || job.err.reported_step(),
          .exit_code = end.exit_code,
          .signal = end.signal};
}

class CommandBackend final : public Backend {
 public:
  explicit CommandBackend(const CommandBackendOptions& options)
      : scenario_(*options.scenario),
        command_(options.command),
        started_s_(std::round(options.started_h * support::seconds_per_hour)),
        time_limit_(options.time_limit.value_or(std::chrono::duration_cast<milliseconds>(
            std::chrono::duration<double>(options.scenario->job.time_limit.value)))),
        grace_(options.grace),
        notes_(options.note) {}

  ~CommandBackend() override {
    // All at once, so that their times to leave run side by side.
    for (const auto& job : jobs_) {
      if (job->process != nullptr) job->process->terminate();
    }
  }

  void start(Launch launch) override {
    const double limit_s = std::chrono::duration<double>(time_limit_).count();
    auto job = std::make_unique<Job>();
    job->launch = std::move(launch);
    if (!scenario_.space.contains(job->launch.config)) {
      jobs_.push_back(std::move(job));
      return;
    }
    Job* const target = job.get();
    const support::ProcessSinks sinks{
        .out = [target](std::string_view text) { target->out.add(text); },
        .err = [target](std::string_view text) { target->err.add(text); }};
    job->process = std::make_unique<support::Process>(support::shell_call(command_),
                                                      request_line(scenario_, job->launch, limit_s),
                                                      sinks, Clock::now() + time_limit_, grace_);
    jobs_.push_back(std::move(job));
  }

  Finished wait() override {
    SIM_ASSERT(!jobs_.empty());
    std::vector<support::Process*> processes;
    for (const auto& job : jobs_) {
      if (job->process != nullptr) processes.push_back(job->process.get());
    }
    const auto has_ended = [](const auto& job) { return job->ended(); };
    while (std::none_of(jobs_.begin(), jobs_.end(), has_ended)) {
      support::Process::attend(processes, patience);
    }
    const auto first = ended_first();
    const std::unique_ptr<Job> job = std::move(*first);
    jobs_.erase(first);
    return finished(*job);
  }

 private:
  /// The second of the study's clock.
  double second_at(Clock::time_point time) const {
    return started_s_ + std::round(std::chrono::duration<double>(time - epoch_).count());
  }

  /// Of the jobs that have ended, the one that did so first; in one second, the lowest trial.
  std::vector<std::unique_ptr<Job>>::iterator ended_first() {
    return std::ranges::min_element(jobs_, {}, [&](const auto& job) {
      constexpr double never = std::numeric_limits<double>::infinity();
      return std::pair(job->ended() ? second_at(job->ended_at()) : never, job->launch.trial);
    });
  }

  Finished finished(Job& job) {
    const double started_s = second_at(job.started_at);
    const double finished_s = second_at(job.ended_at());
    const double hours = (finished_s - started_s) / support::seconds_per_hour;
    const ObservedJob observed = observed_of(job);
    refuse_missing_command(observed, job);
    some_ran_ = some_ran_ || job.process != nullptr;
    scenarios::TrialOutcome outcome = outcome_of(observed, hours, gpus_of(scenario_, job.launch));
    notes_.add(job.launch.trial, observed, outcome);
    return {.launch = std::move(job.launch),
            .outcome = std::move(outcome),
            .started_h = started_s / support::seconds_per_hour,
            .finished_h = finished_s / support::seconds_per_hour};
  }

  void refuse_missing_command(const ObservedJob& observed, const Job& job) const {
    const bool missing =
        observed.exit_code == exit_not_found || observed.exit_code == exit_not_executable;
    if (some_ran_ || !missing || read_answer(observed.last_line)) return;
    std::string message = "the external command could not be started: ";
    const std::string_view said = job.err.last_line();
    message += support::shortened(said.empty() ? std::string_view(command_) : said);
    throw support::OutputError(message + " (exit code " + std::to_string(observed.exit_code) + ")");
  }

  const scenarios::Scenario& scenario_;
  std::string command_;
  double started_s_ = 0.0;  ///< second of the study's clock at `epoch_`
  milliseconds time_limit_;
  milliseconds grace_;
  FailureNotes notes_;
  Clock::time_point epoch_ = Clock::now();
  bool some_ran_ = false;  ///< a launch has shown that the command exists
  std::vector<std::unique_ptr<Job>> jobs_;
};

}  // namespace

std::unique_ptr<Backend> make_command_backend(const CommandBackendOptions& options) {
  return std::make_unique<CommandBackend>(options);
}

}  // namespace cubicbench::search
