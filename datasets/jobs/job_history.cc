#include "datasets/jobs/job_history.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "datasets/jobs/history_choice.h"
#include "datasets/mapping/measured_run.h"
#include "scenarios/truth/instance.h"
#include "sim/base/binary_sizes.h"
#include "sim/base/check.h"
#include "sim/truth/instance_constants.h"
#include "sim/truth/noise_and_failures.h"
#include "support/parallel.h"
#include "support/sha256.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Reason;
using scenarios::Scenario;

/// What is read off a job is its rate over some hundred steps; nobody ends it before a day.
constexpr std::int64_t job_steps = 200;
constexpr double job_time_limit_s = 86'400.0;

/// The releases of a year, spread over the history however long it is: six a year of it, and at
/// least one.
sim::Stack stack_at(const sim::Stack& stack, double time, std::int64_t days) {
  const double releases = std::max(
      1.0, std::round(sim::assumed_releases.releases_per_year * static_cast<double>(days) / 365.0));
  return sim::released(stack, sim::assumed_releases, std::floor(time * releases) / releases);
}

/// The one cluster that all jobs of a history ran on: it differs from the nominal constants, as
/// every real one does, by factors that the history's seed alone decides.
sim::Machine machine_at(const Scenario& nominal, const HistoryOptions& options, double time) {
  constexpr std::uint64_t not_the_nominal_one = 1;
  return sim::machine_of_instance({nominal.cluster, stack_at(nominal.stack, time, options.days)},
                                  not_the_nominal_one, options.seed);
}

/// The row as a problem of its own with one configuration. Its machine is the history's; its hash,
/// from which noise and failures are drawn, no other job shares.
Scenario scenario_of(const MeasuredRun& run, const HistoryOptions& options, const Measurement& job,
                     double time) {
  Scenario scenario = run.scenario;
  const sim::Machine machine = machine_at(scenario, options, time);
  scenario.cluster = machine.cluster;
  scenario.stack = machine.stack;
  scenario.space = scenarios::SearchSpace::build({}, {}, scenario.baseline, {}).space;
  scenario.job = {.steps = job_steps, .startup = {300.0}, .time_limit = {job_time_limit_s}};
  scenario.truth = {.noise = "field", .failures = "llama3-2024", .max_retries = 0};
  scenario.sha256 = support::sha256_hex("cubicbench history\nseed " + std::to_string(options.seed) +
                                        "\n" + job.id + "\n");
  return scenario;
}

void record(const scenarios::TrialOutcome& outcome, Measurement& job) {
  const bool oom = outcome.reason == Reason::oom_init || outcome.reason == Reason::oom_late;
  job.status = oom ? MeasurementStatus::oom : MeasurementStatus::other;
  if (outcome.reason == Reason::none) job.status = MeasurementStatus::ok;
  job.tokens_per_s_per_gpu = outcome.value;
  job.step_time_s = metric_of(outcome, "step_time_s");
  if (const auto peak = metric_of(outcome, "peak_bytes")) {
    job.peak_mem_gib = *peak / sim::bytes_per_gib;
    job.mem_kind = "reserved";
  }
}

/// Runs the job; false when its settings cannot be laid out.
bool run_job(const HistoryOptions& options, double time, sim::Workspace& workspace,
             Measurement& job) {
  const MappedRun mapped = map_run(job);
  SIM_ASSERT(mapped.run.has_value(), mapped.reason);
  // Instance 0 leaves the constants as they are: those of the history are drawn already.
  const scenarios::Instance instance(scenario_of(*mapped.run, options, job, time), 0);
  const scenarios::TrueValue truth = instance.true_value(mapped.run->scenario.baseline, workspace);
  if (truth.reason == Reason::invalid) return false;
  record(instance.launch({}, 0, workspace), job);
  if (job.status == MeasurementStatus::ok && truth.reason == Reason::none) {
    job.noise_free_tokens_per_s_per_gpu = truth.value;
  }
  return true;
}

}  // namespace

Measurements job_history(const HistoryOptions& options, int threads) {
  constexpr std::uint32_t attempts_max = 10'000;
  SIM_ASSERT(options.jobs >= 1 && options.days >= 1, options.jobs, options.days);
  SIM_ASSERT(options.gpus_min >= 1 && options.gpus_min <= options.gpus_max, options.gpus_min,
             options.gpus_max);
  Measurements history{.file = "llm-history", .name = "llm-history", .rows = {}};
  history.rows.resize(static_cast<std::size_t>(options.jobs));
  support::parallel_for(history.rows.size(), threads, [&](std::size_t i) {
    const auto number = static_cast<std::int64_t>(i);
    sim::Workspace workspace;
    for (std::uint32_t attempt = 0;; ++attempt) {
      SIM_ASSERT(attempt < attempts_max, number);
      Measurement job = chosen_job(options, number, attempt);
      if (!run_job(options, time_of(options, number), workspace, job)) continue;
      job.line = i + 2;
      history.rows[i] = std::move(job);
      return;
    }
  });
  return history;
}

}  // namespace cubicbench::datasets
