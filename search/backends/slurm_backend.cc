#include "search/backends/slurm_backend.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "search/backends/command_protocol.h"
#include "search/backends/real_launch.h"
#include "search/backends/slurm_commands.h"
#include "search/backends/slurm_end.h"
#include "search/backends/slurm_folder.h"
#include "search/backends/slurm_pace.h"
#include "search/backends/slurm_template.h"
#include "search/backends/slurm_text.h"
#include "sim/base/check.h"
#include "support/files.h"
#include "support/input_error.h"

namespace cubicbench::search {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using Clock = SlurmPace::Clock;

constexpr double seconds_per_hour = 3600.0;
/// Between two looks at whether we are to stop.
constexpr milliseconds nap{200};
/// Slurm's own limit is 1001 unless its administrator set another.
constexpr std::size_t array_max = 1000;
/// A job that has waited for so long is worth a word.
constexpr double long_wait_s = 600.0;

/// The mark of a launch that we ended at its time limit.
constexpr const char* timeout_mark = "timeout";

/// Launches that were submitted together, and since when Slurm has not known of them.
struct OpenBatch {
  SlurmBatch batch;
  std::optional<Clock::time_point> absent_since{};
};

/// How a launch ended, on the study's clock.
struct Ended {
  JobEnd end{};
  LoggedJob logged{};
  bool ended_by_us = false;
  double started_s = 0.0;
  double finished_s = 0.0;
};

/// A launch on its way: it waits to be submitted, or is a task of a batch, or has ended.
struct Job {
  Launch launch;
  std::string request{};
  std::shared_ptr<OpenBatch> open{};  ///< null: it waits to be submitted
  std::size_t task = 0;
  std::optional<Clock::time_point> absent_since{};  ///< Slurm has not known of it
  bool looked_at_end = false;  ///< it had ended, and said nothing: a file system may be late
  std::optional<Ended> ended{};

  bool waits() const { return !open && !ended; }
  bool is_submitted() const { return open && open->batch.job && !ended; }
  LaunchKey key() const { return {.trial = launch.trial, .attempt = launch.attempt}; }
  SlurmId id() const { return open->batch.id(task); }
};

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
        folder_(options.folder, options.elapsed_h * seconds_per_hour),
        commands_(folder_.held()),
        pace_(script_.poll, script_.patience),
        last_s_(std::round(options.elapsed_h * seconds_per_hour)) {
    for (const SlurmBatch& batch : folder_.earlier()) {
      batches_.push_back(std::make_shared<OpenBatch>(OpenBatch{.batch = batch}));
    }
  }

  void start(Launch launch) override {
    Job job{.launch = std::move(launch)};
    if (scenario_.space.contains(job.launch.config)) {
      job.request = request_line(scenario_, job.launch, time_limit_s_);
      find_earlier(job);
    } else {
      const double now = second_of(now_s());
      job.ended = {.logged = {.last_line = std::string(invalid_answer)},
                   .started_s = now,
                   .finished_s = now};
    }
    jobs_.push_back(std::move(job));
  }

  bool await(const std::function<bool()>& stopped) override {
    SIM_ASSERT(!jobs_.empty());
    while (std::ranges::none_of(jobs_, [](const Job& job) { return job.ended.has_value(); })) {
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
    const auto first = std::ranges::min_element(jobs_, {}, [](const Job& job) {
      return std::tuple(!job.ended, job.ended ? job.ended->finished_s : 0.0, job.launch.trial);
    });
    Job job = std::move(*first);
    jobs_.erase(first);
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

  // ---- launches of an earlier run ---------------------------------------------------------------

  /// Takes up what an earlier run has submitted of the launch. A client that asks for something
  /// else than then has no use for it.
  void find_earlier(Job& job) {
    for (const auto& open : batches_) {
      const std::vector<LaunchKey>& keys = open->batch.launches;
      const auto found = std::ranges::find(keys, job.key());
      if (found == keys.end()) continue;
      const auto task = static_cast<std::size_t>(found - keys.begin());
      if (support::read_file(open->batch.file(task, "request")) == job.request) {
        job.open = open;
        job.task = task;
        return;
      }
      return disown(open, task);
    }
  }

  /// Nobody waits for it: cancel_strays() ends it.
  void disown(const std::shared_ptr<OpenBatch>& open, std::size_t task) {
    const SlurmBatch& batch = open->batch;
    if (batch.job) {
      disowned_.insert(batch.id(task));
    } else if (std::ranges::none_of(jobs_, [&](const Job& job) { return job.open == open; })) {
      std::erase(batches_, std::shared_ptr(open));
    }
  }

  // ---- one step after the other -----------------------------------------------------------------

  void go_on(const Stopped& stopped) {
    const Clock::time_point now = Clock::now();
    const bool waits = std::ranges::any_of(jobs_, &Job::waits);
    if (waits && now >= submit_at_) return submit(stopped);
    if (now >= pace_.next()) return look(stopped);
    const Clock::time_point until = waits ? std::min(submit_at_, pace_.next()) : pace_.next();
    std::this_thread::sleep_for(std::min<Clock::duration>(nap, until - now));
  }

  // ---- submitting -------------------------------------------------------------------------------

  void submit(const Stopped& stopped) {
    std::vector<Job*> chosen;
    std::vector<RequestedLaunch> requested;
    for (Job& job : jobs_) {
      if (!job.waits() || chosen.size() == (singly_ ? 1 : array_max)) continue;
      chosen.push_back(&job);
      requested.push_back({.key = job.key(), .request = job.request});
    }
    auto open = std::make_shared<OpenBatch>(OpenBatch{.batch = folder_.add(requested)});
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      chosen[i]->open = open;
      chosen[i]->task = i;
    }
    batches_.push_back(open);
    const SlurmReply reply = commands_.submit(arguments_of(open->batch), stopped);
    if (reply.success) return submitted(*open, reply);
    if (!reply.interrupted) not_submitted(open, reply);
  }

  std::vector<std::string> arguments_of(const SlurmBatch& batch) const {
    std::vector<std::string> arguments{"--job-name=" + batch.name};
    for (const auto& [option, kind] :
         {std::pair("--input=", "request"), std::pair("--output=", "out"),
          std::pair("--error=", "err")}) {
      arguments.push_back(option + batch.pattern(kind));
    }
    if (batch.is_array()) {
      arguments.push_back("--array=0-" + std::to_string(batch.launches.size() - 1));
    }
    if (!script_.has_time_limit) {
      const auto minutes = static_cast<std::int64_t>(std::ceil(time_limit_s_ / 60.0));
      arguments.push_back("--time=" + std::to_string(minutes));
    }
    arguments.push_back(script_.path.string());
    return arguments;
  }

  void submitted(OpenBatch& open, const SlurmReply& reply) {
    const std::optional<std::int64_t> number = read_submitted(reply.out);
    if (!number) {
      throw support::OutputError("sbatch printed no number of a job, but " +
                                 support::in_quotes(support::shortened(reply.out)));
    }
    folder_.submitted(open.batch, *number);
    singly_ = singly_ && std::ranges::any_of(jobs_, &Job::waits);
    refusals_ = 0;
    pace_.quicken(Clock::now());
  }

  void not_submitted(const std::shared_ptr<OpenBatch>& open, const SlurmReply& reply) {
    const bool is_array = open->batch.is_array();
    const SlurmError error = reply.error();
    const Clock::time_point now = Clock::now();
    if (error == SlurmError::unreachable) return pace_.unanswered(now, reply.complaint());
    singly_ = singly_ || is_array;
    if (error == SlurmError::full && !noted_full_) {
      noted_full_ = true;
      note_("Slurm takes no more jobs for now (" + reply.complaint() + "); trying again");
    }
    // Ended by us while it slept, it may just have got through: the queue will tell.
    if (reply.cut_short) return pace_.quicken(now);
    dissolve(open);
    if (is_array) return;
    if (error == SlurmError::refused) {
      throw support::OutputError("sbatch refused " +
                                 support::in_quotes(support::shortened(script_.path.string())) +
                                 ": " + reply.complaint());
    }
    const milliseconds pause{1000 << std::min(refusals_++, 10)};
    submit_at_ = now + std::min(pause, script_.poll);
  }

  /// It was never submitted: its launches wait again.
  void dissolve(const std::shared_ptr<OpenBatch>& open) {
    for (Job& job : jobs_) {
      if (job.open == open) job.open = nullptr;
    }
    folder_.remove(open->batch);
    std::erase(batches_, open);
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
    for (Job& job : jobs_) {
      if (job.is_submitted() && !stopped()) follow(job, queue, stopped);
    }
    cancel_strays(queued, stopped);
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
    std::set<std::shared_ptr<OpenBatch>> unsure;
    for (const Job& job : jobs_) {
      if (job.open && !job.open->batch.job && !job.ended) unsure.insert(job.open);
    }
    for (const std::shared_ptr<OpenBatch>& open : unsure) {
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
    if (!began) return dissolve(open);
    for (Job& job : jobs_) {
      if (job.open == open && !job.ended) conclude(job, {});
    }
  }

  void follow(Job& job, const Queue& queue, const Stopped& stopped) {
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

  void conclude_forgotten(Job& job, const Stopped& stopped) {
    const SlurmReply reply = commands_.account(job.id(), job.open->batch.name, stopped);
    if (reply.interrupted) return;
    const auto end = reply.success ? read_account(reply.out, job.id()) : std::nullopt;
    conclude(job, end.value_or(JobEnd{}));
  }

  /// Ends a job whose time is over, or that has waited for too long.
  void limit(const Job& job, const QueuedJob& queued, const Stopped& stopped) {
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
  void mark_timeout(const Job& job) {
    const fs::path mark = job.open->batch.file(job.task, timeout_mark);
    std::error_code none;
    if (fs::exists(mark, none)) return;
    support::write_file_atomic(mark, "");
    pace_.quicken(Clock::now());
  }

  /// A job that has ended; of one without an answer only once it was looked at twice.
  void conclude(Job& job, const JobEnd& end) {
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

  /// Cancels jobs of this study that no launch belongs to: a client now asks for another
  /// configuration, or an sbatch that was given up had submitted its job after all.
  void cancel_strays(const std::vector<QueuedJob>& queued, const Stopped& stopped) {
    std::set<std::int64_t> known;
    std::set<std::string> names;
    for (const auto& open : batches_) {
      if (open->batch.job) known.insert(*open->batch.job);
      if (!open->batch.job) names.insert(open->batch.name);
    }
    std::vector<std::string> strays;
    for (const QueuedJob& job : queued) {
      if (is_end(job.state) || !folder_.is_ours(job.name) || names.contains(job.name)) continue;
      if (!known.contains(job.id.job) || disowned_.contains(job.id)) {
        strays.push_back(text_of(job.id));
      }
    }
    if (!strays.empty() && !stopped()) commands_.cancel(strays, stopped);
  }

  // ---- what it came to --------------------------------------------------------------------------

  Finished finished(Job& job) {
    const Ended& ended = *job.ended;
    // What we learn of later than of one that ended after it, did so as late for the journal.
    last_s_ = std::max(last_s_, ended.finished_s);
    const double hours = (ended.finished_s - ended.started_s) / seconds_per_hour;
    const double started_s = last_s_ - (ended.finished_s - ended.started_s);
    const ObservedJob observed = observed_of(ended.end, ended.logged, ended.ended_by_us);
    scenarios::TrialOutcome outcome = outcome_of(observed, hours, gpus_of(scenario_, job.launch));
    notes_.add(job.launch.trial, observed, outcome);
    return {.launch = std::move(job.launch),
            .outcome = std::move(outcome),
            .started_h = started_s / seconds_per_hour,
            .finished_h = last_s_ / seconds_per_hour};
  }

  void note_left() const {
    std::string ids;
    std::int64_t count = 0;
    for (const Job& job : jobs_) {
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
  double last_s_;  ///< when the launch that was handed out last ended
  std::vector<std::shared_ptr<OpenBatch>> batches_;
  std::set<SlurmId> disowned_;
  std::vector<Job> jobs_;
  Clock::time_point submit_at_{};  ///< not earlier
  bool singly_ = false;            ///< an array was refused: what waits is submitted one by one
  int refusals_ = 0;               ///< one after the other, for the queue was full
  bool noted_full_ = false;
  bool noted_wait_ = false;
  bool noted_withdrawn_ = false;
};

}  // namespace

std::unique_ptr<Backend> make_slurm_backend(const SlurmBackendOptions& options) {
  return std::make_unique<SlurmBackend>(options);
}

}  // namespace cubicbench::search
