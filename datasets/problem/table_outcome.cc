#include "datasets/problem/table_outcome.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Metric;
using scenarios::TrialOutcome;

constexpr double gib = 0x1p30;
constexpr double seconds_per_hour = 3600.0;

std::optional<double> value_of(const Measurement& row, Metric metric) {
  const std::optional<double> per_gpu = tokens_per_s_per_gpu(row);
  if (metric == Metric::step_time_s) return step_seconds(row);
  if (metric == Metric::tokens_per_s_per_gpu || !per_gpu) return per_gpu;
  if (metric == Metric::mfu || !row.n_gpus) return std::nullopt;
  const double tokens = *per_gpu * static_cast<double>(*row.n_gpus);
  if (metric == Metric::tokens_per_s) return tokens;
  if (!row.seq_len) return std::nullopt;
  return tokens / static_cast<double>(*row.seq_len);
}

void add_cost(const Measurement& row, double seconds, TrialOutcome& outcome) {
  outcome.duration_h = seconds / seconds_per_hour;
  outcome.cost_gpu_hours = outcome.duration_h * static_cast<double>(row.n_gpus.value_or(1));
}

std::optional<TrialOutcome> completed(const Measurement& row, Metric metric,
                                      const scenarios::Job& job) {
  TrialOutcome outcome;
  outcome.value = value_of(row, metric);
  if (!outcome.value) return std::nullopt;
  const std::optional<double> step = step_seconds(row);
  if (step) outcome.metrics.emplace_back("step_time_s", *step);
  if (row.peak_mem_gib) outcome.metrics.emplace_back("peak_bytes", *row.peak_mem_gib * gib);
  add_cost(row, job.startup.value + static_cast<double>(job.steps) * step.value_or(0.0), outcome);
  return outcome;
}

}  // namespace

std::optional<TrialOutcome> outcome_of(const Measurement& row, Metric metric,
                                       const scenarios::Job& job) {
  const bool clean = row.quality == MeasurementQuality::ok;
  if (row.status == MeasurementStatus::ok && clean) return completed(row, metric, job);
  if (row.status != MeasurementStatus::oom) return std::nullopt;
  if (!clean && row.quality != MeasurementQuality::early_pp) return std::nullopt;
  TrialOutcome outcome;
  outcome.state = scenarios::TrialState::fail;
  outcome.reason = scenarios::Reason::oom_late;
  add_cost(row, job.startup.value, outcome);
  return outcome;
}

std::optional<double> step_seconds(const Measurement& row) {
  if (row.step_time_s) return row.step_time_s;
  if (!row.tokens_per_s_per_gpu || !row.global_batch || !row.seq_len || !row.n_gpus) {
    return std::nullopt;
  }
  const double tokens = static_cast<double>(*row.global_batch) * static_cast<double>(*row.seq_len);
  return tokens / (*row.tokens_per_s_per_gpu * static_cast<double>(*row.n_gpus));
}

}  // namespace cubicbench::datasets
