#include "search/backends/slurm_backend.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <thread>
#include <utility>
#include <vector>

#include "search/backends/command_protocol.h"
#include "search/backends/real_launch.h"
#include "search/backends/slurm_commands.h"
#include "search/backends/slurm_end.h"
#include "search/backends/slurm_folder.h"
#include "search/backends/slurm_jobs.h"
#include "search/backends/slurm_pace.h"
#include "search/backends/slurm_submission.h"
#include "search/backends/slurm_template.h"
#include "search/backends/slurm_text.h"
#include "sim/base/check.h"
#include "support/files.h"
#include "support/hours.h"
#include "support/input_error.h"

namespace cubicbench::search {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using Clock = SlurmPace::Clock;

/// Between two looks at whether we are to stop.
constexpr milliseconds nap{200};
/// A job that has waited for so long is worth a word.
constexpr double long_wait_s = 600.0;

/// The mark of a launch that we ended at its time limit.
constexpr const char* timeout_mark = "timeout";

class SlurmBackend final : public Backend {
 public:
  explicit SlurmBackend(const SlurmBackendOptions& options)
      : scenario_(*options.scenario),
        script_(read_slurm_template(options.script, "--backend")),
        time_limit_s_(options.time_limit
                          ? std::chrono::duration<double>(*options.time_limit).count()
                          : options.scenario->job.time_limit.value),
        note_(options.note ? options.note : [](const std::string&) {}),
        notes_(options.note),
        folder_(options.folder, options.elapsed_h * support::seconds_per_hour),
        commands_(folder_.held()),
        pace_(script_.poll, script_.patience),
        jobs_(folder_),
        submission_({.script = &script_,
                     .folder = &folder_,
                     .commands = &commands_,
                     .pace = &pace_,
                     .jobs = &jobs_},
                    time_limit_s_, note_),
        last_s_(std::round(options.elapsed_h * support::seconds_per_hour)) {}

  void start(Launch launch) override {
    SlurmJob job{.launch = std::move(launch)};
    if (scenario_.space.contains(job.launch.config)) {
      job.request = request_line(scenario_, job.launch, time_limit_s_);
    } else {
      const double now = second_of(now_s());
      job.ended = {.logged = {.last_line = std::string(invalid_answer)},
                   .started_s = now,
                   .finished_s = now};
    }
    jobs_.add(std::move(job));
  }

  bool await(const std::function<bool()>& stopped) override {
    SIM_ASSERT(!jobs_.all().empty());
    while (!jobs_.any_ended()) {
      if (stopped()) {
        note_left();
        return false;
      }
      go_on(stopped);
    }
    return true;
  }

  Finished wait() override {
    await([] { return false; });
    SlurmJob job = jobs_.take_ended();
    return finished(job);
  }

  void close() override { folder_.remove_all(); }

 private:
  using Stopped = std::function<bool()>;
  using Queue = std::map<SlurmId, const QueuedJob*>;

  static double now_s() {
    using Seconds = std::chrono::duration<double>;
    return Seconds(std::chrono::system_clock::now().time_since_epoch()).count();
  }
  /// The second of the study's clock.
  double second_of(double moment_s) const {
    return std::max(0.0, std::round(moment_s - folder_.began_s()));
  }

  // ---- one step after the other -----------------------------------------------------------------

  void go_on(const Stopped& stopped) {
    const Clock::time_point now = Clock::now();
    const bool waits = jobs_.any_waits();
    if (waits && now >= submission_.next()) return submission_.submit(stopped);
    if (now >= pace_.next()) return look(stopped);
    const Clock::time_point until =
        waits ? std::min(submission_.next(), pace_.next()) : pace_.next();
    std::this_thread::sleep_for(std::min<Clock::duration>(nap, until - now));
  }

  // ---- looking ----------------------------------------------------------------------------------

  void look(const Stopped& stopped) {
    const SlurmReply reply = commands_.queue(stopped);
    if (reply.interrupted) return;
    if (!reply.success) return pace_.unanswered(Clock::now(), reply.complaint());
    pace_.answered(Clock::now());
    const std::vector<QueuedJob> queued = read_queue(reply.out);
    Queue queue;
    for (const QueuedJob& job : queued) queue[job.id] = &job;
    find_submitted(queued, stopped);
    for (SlurmJob& job : jobs_.all()) {
      if (job.is_submitted() && !stopped()) follow(job, queue, stopped);
    }
    const std::vector<std::string> strays = jobs_.strays(queued);
    if (!strays.empty() && !stopped()) commands_.cancel(strays, stopped);
  }

  /// Has Slurm known nothing of it for long enough to be believed? Right after a message got lost
  /// it may not.
  bool stays_absent(std::optional<Clock::time_point>& since) const {
    const Clock::time_point now = Clock::now();
    if (!since) since = now;
    return now - *since >= script_.poll;
  }

  /// Finds the jobs of batches of which we do not know whether sbatch got through.
  void find_submitted(const std::vector<QueuedJob>& queued, const Stopped& stopped) {
    for (const std::shared_ptr<OpenBatch>& open : jobs_.unsure()) {
      if (const auto number = number_of(queued, open->batch.name)) {
        folder_.submitted(open->batch, *number);
        pace_.quicken(Clock::now());
      } else if (stays_absent(open->absent_since) && !stopped()) {
        find_forgotten(open, stopped);
      }
    }
  }

  /// The first job of that name.
  static std::optional<std::int64_t> number_of(const std::vector<QueuedJob>& queued,
                                               const std::string& name) {
    std::optional<std::int64_t> number;
    for (const QueuedJob& job : queued) {
      if (job.name == name) number = std::min(number.value_or(job.id.job), job.id.job);
    }
    return number;
  }

  void find_forgotten(const std::shared_ptr<OpenBatch>& open, const Stopped& stopped) {
    const SlurmReply reply = commands_.account(open->batch.name, stopped);
    if (reply.interrupted) return;
    if (const auto number = reply.success ? read_listed(reply.out) : std::nullopt) {
      return folder_.submitted(open->batch, *number);
    }
    bool began = false;
    for (std::size_t i = 0; i < open->batch.launches.size(); ++i) {
      began = began || read_logs(open->batch, i).began;
    }
    if (!began) return jobs_.dissolve(open);
    for (SlurmJob& job : jobs_.all()) {
      if (job.open == open && !job.ended) conclude(job, {});
    }
  }

  void follow(SlurmJob& job, const Queue& queue, const Stopped& stopped) {
    const auto found = queue.find(job.id());
    // A controller that lost its last minutes gives numbers away again.
    if (found == queue.end() || found->second->name != job.open->batch.name) {
      if (stays_absent(job.absent_since)) conclude_forgotten(job, stopped);
      return;
    }
    job.absent_since.reset();
    if (!is_end(found->second->state)) return limit(job, *found->second, stopped);
    const SlurmReply reply = commands_.job(job.id(), stopped);
    const std::optional<JobEnd> end = reply.success ? read_job(reply.out) : std::nullopt;
    if (end && is_end(end->state)) {
      conclude(job, *end);
    } else if (!reply.success && reply.error() == SlurmError::refused && !reply.interrupted) {
      conclude_forgotten(job, stopped);  // between the two
    }
  }

  void conclude_forgotten(SlurmJob& job, const Stopped& stopped) {
    const SlurmReply reply = commands_.account(job.id(), job.open->batch.name, stopped);
    if (reply.interrupted) return;
    const auto end = reply.success ? read_account(reply.out, job.id()) : std::nullopt;
    conclude(job, end.value_or(JobEnd{}));
  }

  /// Ends a job whose time is over, or that has waited for too long.
  void limit(const SlurmJob& job, const QueuedJob& queued, const Stopped& stopped) {
    const double waited_s = now_s() - queued.submitted_s;
    const bool pending = queued.state == "PENDING";
    if (pending && waited_s >= long_wait_s && !std::exchange(noted_wait_, true)) {
      note_("trial " + std::to_string(job.launch.trial) + ": job " + text_of(queued.id) +
            " has been pending for ten minutes: " + queued.reason);
    }
    const bool too_late = pending && script_.pending_limit &&
                          waited_s >= std::chrono::duration<double>(*script_.pending_limit).count();
    const bool too_long = !pending && queued.running_s > time_limit_s_;
    if (!too_late && !too_long) return;
    if (too_long) mark_timeout(job);
    commands_.cancel({text_of(job.id())}, stopped);
    if (too_late && !std::exchange(noted_withdrawn_, true)) {
      note_("trial " + std::to_string(job.launch.trial) + ": job " + text_of(queued.id) +
            " did not start within the pending limit and was cancelled: " + queued.reason);
    }
  }

  /// Before it is ended, so that it is known why if we are.
  void mark_timeout(const SlurmJob& job) {
    const fs::path mark = job.open->batch.file(job.task, timeout_mark);
    std::error_code none;
    if (fs::exists(mark, none)) return;
    support::write_file_atomic(mark, "");
    pace_.quicken(Clock::now());
  }

  /// A job that has ended; of one without an answer only once it was looked at twice.
  void conclude(SlurmJob& job, const JobEnd& end) {
    const SlurmBatch& batch = job.open->batch;
    LoggedJob logged = read_logs(batch, job.task);
    pace_.quicken(Clock::now());
    if (!read_answer(logged.last_line) && !std::exchange(job.looked_at_end, true)) return;
    std::error_code none;
    const double now = now_s();
    const double ended_s = end.ended_s.value_or(logged.ended_s.value_or(now));
    const double started_s = end.started_s.value_or(logged.started_s.value_or(ended_s));
    const double finished = second_of(std::min(ended_s, now));
    job.ended = {.end = end,
                 .logged = std::move(logged),
                 .ended_by_us = fs::exists(batch.file(job.task, timeout_mark), none),
                 .started_s = std::min(second_of(started_s), finished),
                 .finished_s = finished};
  }

  // ---- what it came to --------------------------------------------------------------------------

  Finished finished(SlurmJob& job) {
    const EndedJob& ended = *job.ended;
    // What we learn of later than of one that ended after it, did so as late for the journal.
    last_s_ = std::max(last_s_, ended.finished_s);
    const double hours = (ended.finished_s - ended.started_s) / support::seconds_per_hour;
    const double started_s = last_s_ - (ended.finished_s - ended.started_s);
    const ObservedJob observed = observed_of(ended.end, ended.logged, ended.ended_by_us);
    scenarios::TrialOutcome outcome = outcome_of(observed, hours, gpus_of(scenario_, job.launch));
    notes_.add(job.launch.trial, observed, outcome);
    return {.launch = std::move(job.launch),
            .outcome = std::move(outcome),
            .started_h = started_s / support::seconds_per_hour,
            .finished_h = last_s_ / support::seconds_per_hour};
  }

  void note_left() const {
    std::string ids;
    std::int64_t count = 0;
    for (const SlurmJob& job : jobs_.all()) {
      if (!job.is_submitted()) continue;
      ids += " " + text_of(job.id());
      ++count;
    }
    if (count == 0) return;
    note_(std::to_string(count) + (count == 1 ? " job goes" : " jobs go") +
          " on in Slurm, which --resume collects and scancel" + ids + " would end");
  }

  const scenarios::Scenario& scenario_;
  SlurmTemplate script_;
  double time_limit_s_;
  std::function<void(const std::string&)> note_;
  FailureNotes notes_;
  SlurmFolder folder_;
  SlurmCommands commands_;
  SlurmPace pace_;
  SlurmJobs jobs_;
  SlurmSubmission submission_;
  double last_s_;  ///< when the launch that was handed out last ended
  bool noted_wait_ = false;
  bool noted_withdrawn_ = false;
};

}  // namespace

std::unique_ptr<Backend> make_slurm_backend(const SlurmBackendOptions& options) {
  return std::make_unique<SlurmBackend>(options);
}

}  // namespace cubicbench::search
