#include "results/goodput/goodput.h"

#include <cmath>

#include "results/document/number_text.h"
#include "sim/truth/noise_and_failures.h"
#include "support/input_error.h"

namespace cubicbench::results {
namespace {

constexpr double hour_s = 3600.0;

/// Until a failure is detected and its node found: less than ten minutes on the mean of more than
/// a hundred on up to 12,288 GPUs [MegaScale24].
constexpr sim::Seconds diagnosis{600.0};

sim::FailureModel failures_of(const scenarios::Scenario& scenario,
                              const GoodputQuestion& question) {
  sim::FailureModel model = *sim::find_failure_model(scenario.truth.failures);
  if (model.per_gpu_hour == 0.0) model = sim::llama3_2024;
  if (question.failure_hours) model.per_gpu_hour = 1.0 / *question.failure_hours;
  return model;
}

/// Checkpoints are written and read by all ranks, each its part of what there is once.
sim::LongRun run_of(const scenarios::Scenario& scenario, const GoodputQuestion& question,
                    sim::Bytes checkpoint) {
  const double gpus = scenario.cluster.gpus;
  const sim::FailureModel failures = failures_of(scenario, question);
  const double storage = question.storage_gb_s.value_or(storage_gb_s_per_gpu * gpus);
  const sim::Seconds transfer = checkpoint / sim::BytesPerSecond{storage * 1e9};
  const sim::Seconds copy = checkpoint / gpus / scenario.cluster.device.host_bandwidth;
  sim::LongRun run{.failures_per_s = failures.per_gpu_hour * gpus / hour_s,
                   .restart = diagnosis + scenario.job.startup + transfer,
                   .checkpoint = copy,
                   .written = transfer};
  if (question.restart_s) run.restart = sim::Seconds{*question.restart_s};
  if (question.writing == CheckpointWriting::synchronous) {
    run.checkpoint += run.written;
    run.written = {};
  }
  return run;
}

/// A checkpoint is made between two steps.
sim::Seconds interval_of(const GoodputQuestion& question, const sim::LongRun& run,
                         sim::Seconds step) {
  if (!question.interval_s) return std::ceil(sim::best_interval(run) / step) * step;
  const sim::Seconds interval{*question.interval_s};
  if (interval >= run.written) return interval;
  throw support::InputError("--interval", "expected at least " + duration(run.written) +
                                              ", which a checkpoint takes to be written, got " +
                                              duration(interval));
}

}  // namespace

Goodput goodput(const scenarios::Scenario& scenario, std::span<const std::string> sets,
                const GoodputQuestion& question) {
  Goodput of{.question = question, .simulation = simulate(scenario, sets)};
  if (!has_step(of.simulation)) return of;
  const scenarios::Scenario& played = of.simulation.scenario;
  of.checkpoint = sim::checkpoint_bytes(played.workload, played.baseline);
  of.run = run_of(played, question, of.checkpoint);
  of.interval = interval_of(question, of.run, of.simulation.report.step);
  of.shares = sim::time_shares(of.run, of.interval);
  if (question.spares) {
    const double repair_s = question.repair_hours.value_or(repair_hours_assumed) * hour_s;
    const double broken = hardware_share * of.run.failures_per_s * repair_s;
    of.waiting = sim::waiting_share(broken, *question.spares);
  }
  return of;
}

std::optional<double> goodput_share(const Goodput& of) {
  if (!has_step(of.simulation)) return std::nullopt;
  return (1.0 - of.waiting) * of.shares.steps;
}

}  // namespace cubicbench::results
