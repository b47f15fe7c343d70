#include "datasets/problem/table_setting.h"

#include <algorithm>
#include <array>

#include "datasets/tables/measurement_schema.h"
#include "sim/base/binary_sizes.h"
#include "support/hours.h"
#include "support/input_error.h"

namespace cubicbench::datasets {
namespace {

struct Pair {
  std::string_view column;
  std::string_view setting;
};

constexpr std::array pairs{Pair{"dp", "data_parallel"},
                           Pair{"tp", "tensor_parallel"},
                           Pair{"pp", "pipeline_parallel"},
                           Pair{"vp", "virtual_stages"},
                           Pair{"cp", "context_parallel"},
                           Pair{"ep", "expert_parallel"},
                           Pair{"sp", "sequence_parallel"},
                           Pair{"micro_batch", "micro_batch"},
                           Pair{"global_batch", "global_batch"},
                           Pair{"grad_accum", "global_batch"},
                           Pair{"sharding", "sharding"},
                           Pair{"recompute", "recompute"},
                           Pair{"offload", "offload"},
                           Pair{"compile", "compile"},
                           Pair{"dtype", "dtype"}};

TableValue parsed(const scenarios::Setting& setting, const std::string& text) {
  TableValue value{.code = parse_setting(setting, text), .problem = {}};
  if (!value.code) {
    value.problem = "expected " + expected(setting) + ", got " +
                    (text.empty() ? "nothing" : "\"" + support::shortened(text) + "\"");
  }
  return value;
}

std::optional<std::int64_t> batch_of(const Measurement& row) {
  if (row.global_batch) return row.global_batch;
  if (!row.dp || !row.micro_batch || !row.grad_accum) return std::nullopt;
  std::int64_t batch = 0;
  const bool too_large = __builtin_mul_overflow(*row.dp, *row.micro_batch, &batch) ||
                         __builtin_mul_overflow(batch, *row.grad_accum, &batch);
  return too_large ? std::nullopt : std::optional(batch);
}

using scenarios::Metric;
using scenarios::TrialOutcome;

std::optional<double> value_of(const Measurement& row, Metric metric) {
  const std::optional<double> per_gpu = tokens_per_s_per_gpu(row);
  if (metric == Metric::step_time_s) return step_seconds(row);
  if (metric == Metric::tokens_per_s_per_gpu || !per_gpu) return per_gpu;
  if (metric == Metric::tokens_per_gpu_hour) return *per_gpu * support::seconds_per_hour;
  if (metric != Metric::tokens_per_s && metric != Metric::samples_per_s) return std::nullopt;
  if (!row.n_gpus) return std::nullopt;
  const double tokens = *per_gpu * static_cast<double>(*row.n_gpus);
  if (metric == Metric::tokens_per_s) return tokens;
  if (!row.seq_len) return std::nullopt;
  return tokens / static_cast<double>(*row.seq_len);
}

void add_cost(const Measurement& row, double seconds, TrialOutcome& outcome) {
  outcome.duration_h = seconds / support::seconds_per_hour;
  outcome.cost_gpu_hours = outcome.duration_h * static_cast<double>(row.n_gpus.value_or(1));
}

std::optional<TrialOutcome> completed(const Measurement& row, Metric metric,
                                      const scenarios::Job& job) {
  TrialOutcome outcome;
  outcome.value = value_of(row, metric);
  if (!outcome.value) return std::nullopt;
  const std::optional<double> step = step_seconds(row);
  if (step) outcome.metrics.emplace_back("step_time_s", *step);
  if (row.peak_mem_gib)
    outcome.metrics.emplace_back("peak_bytes", *row.peak_mem_gib * sim::bytes_per_gib);
  add_cost(row, job.startup.value + static_cast<double>(job.steps) * step.value_or(0.0), outcome);
  return outcome;
}

}  // namespace

std::optional<TableSetting> find_table_setting(std::string_view name) {
  for (const Pair& pair : pairs) {
    if (name == pair.column || name == pair.setting) {
      return TableSetting{.setting = scenarios::find_setting(pair.setting), .column = pair.column};
    }
  }
  return std::nullopt;
}

std::vector<std::string_view> table_setting_names() {
  std::vector<std::string_view> names;
  for (const Pair& pair : pairs) names.push_back(pair.column);
  for (const Pair& pair : pairs) {
    if (std::ranges::find(names, pair.setting) == names.end()) names.push_back(pair.setting);
  }
  return names;
}

TableValue value_of(const TableSetting& setting, const Measurement& row) {
  std::string text = option_text(setting.column, row);
  if (setting.setting->name == "global_batch") {
    const std::optional<std::int64_t> batch = batch_of(row);
    text = batch ? std::to_string(*batch) : "";
  }
  return parsed(*setting.setting, text);
}

TableValue value_of(const scenarios::Setting& setting, const std::string& cell) {
  const bool yes_or_no = setting.kind == scenarios::SettingKind::boolean;
  if (yes_or_no && (cell == "0" || cell == "1"))
    return parsed(setting, cell == "1" ? "true" : "false");
  return parsed(setting, cell);
}

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
