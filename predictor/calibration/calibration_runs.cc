#include "predictor/calibration/calibration_runs.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "datasets/kernel_tables.h"
#include "datasets/mapping/library.h"
#include "datasets/mapping/mapped_kernel.h"
#include "datasets/mapping/measured_run.h"
#include "datasets/mapping/named_parts.h"
#include "datasets/mapping/text_match.h"
#include "datasets/measured_catalog.h"
#include "datasets/measurement_schema.h"
#include "scenarios/evaluate.h"

namespace cubicbench::predictor {
namespace {

using datasets::CalibrationSubject;
using datasets::Measurement;

/// Which rows are wanted.
struct Wanted {
  CalibrationSubject subject;
  const std::string& of;
  datasets::CalibrationRows rows = {};
};

/// Why a row says nothing of time; "" when it does.
std::string untimed_reason(const Measurement& row) {
  if (row.status != datasets::MeasurementStatus::ok) {
    return "status " + std::string(datasets::name_of(row.status));
  }
  if (row.quality != datasets::MeasurementQuality::ok) {
    return "quality " + std::string(datasets::name_of(row.quality));
  }
  return row.step_time_s || row.tokens_per_s_per_gpu ? "" : "no time";
}

bool is_in_part(const Measurement& row, const std::string& part) {
  if (part.empty()) return true;
  const std::vector<std::string> parts = datasets::parts_of(row, row.n_experts.value_or(0) > 1);
  return std::ranges::find(parts, part) != parts.end();
}

/// Why a run is not wanted; "" when it is.
std::string unwanted_reason(const scenarios::Scenario& scenario, const Wanted& wanted) {
  const bool of_any = wanted.of.empty();
  const bool of_stack = wanted.subject == CalibrationSubject::stack;
  if (of_stack && !of_any && scenario.stack_name != wanted.of) return "another stack";
  const bool other_device = !of_stack && !of_any && scenario.device != wanted.of;
  if (other_device || (!wanted.rows.device.empty() && scenario.device != wanted.rows.device)) {
    return "another device";
  }
  return "";
}

/// Of the batch that is simulated; nothing where the plan cannot be laid out.
std::optional<sim::Seconds> measured_step(const Measurement& row,
                                          const scenarios::Scenario& scenario,
                                          sim::Workspace& workspace) {
  const sim::StepReport report =
      scenarios::evaluate_roomy(scenario, scenario.baseline, scenario.cluster.state, workspace);
  if (report.status != sim::StepStatus::ok) return std::nullopt;
  if (row.step_time_s) return sim::Seconds{*row.step_time_s};
  const double tokens =
      scenarios::tokens_per_s(scenario, scenario.baseline, sim::Seconds{1.0}).value_or(0.0);
  return sim::Seconds{tokens / (*row.tokens_per_s_per_gpu * scenario.cluster.gpus)};
}

/// A run, or why the row is none.
std::string add_run(const Measurement& row, const Wanted& wanted, sim::Workspace& workspace,
                    std::vector<CalibrationRun>& runs) {
  if (std::string reason = untimed_reason(row); !reason.empty()) return reason;
  if (!is_in_part(row, wanted.rows.part)) return "another part";
  if (!datasets::contains_any_case(row.family, wanted.rows.family)) return "another family";
  if (!datasets::contains_any_case(row.source, wanted.rows.source)) return "another source";
  datasets::MappedRun mapped = datasets::map_run(row, datasets::NetworkOfRun::measured);
  if (!mapped.run) return mapped.reason;
  scenarios::Scenario& scenario = mapped.run->scenario;
  if (std::string reason = unwanted_reason(scenario, wanted); !reason.empty()) return reason;
  const std::optional<sim::Seconds> step = measured_step(row, scenario, workspace);
  if (!step) return "the plan cannot be laid out";
  if (!std::isfinite(step->value) || step->value <= 0.0) return "no time";
  runs.push_back({.scenario = std::move(scenario),
                  .step = *step,
                  .model = row.model.empty() ? row.family : row.model,
                  .row = row});
  return "";
}

/// A kernel, or why the row is none.
std::string add_kernel(const datasets::KernelMeasurement& row, datasets::KernelKind kind,
                       const Wanted& wanted, std::vector<CalibrationKernel>& kernels) {
  if (!row.dtype.starts_with(wanted.rows.dtype)) return "another number format";
  if (!datasets::contains_any_case(row.source, wanted.rows.source)) return "another source";
  datasets::MappedKernel mapped = datasets::map_kernel(row, kind);
  if (!mapped.kernel) return mapped.reason;
  if (!wanted.of.empty() && mapped.kernel->device != wanted.of) return "another device";
  const sim::Device& device = datasets::library().devices.find(mapped.kernel->device)->second;
  kernels.push_back({.timed = std::move(*mapped.kernel), .device = device});
  return "";
}

void add_kernels(const datasets::KernelMeasurements& table, const Wanted& wanted,
                 CalibrationRuns& into) {
  for (const datasets::KernelMeasurement& row : table.rows) {
    const std::string reason = add_kernel(row, table.kind, wanted, into.kernels);
    if (!reason.empty()) ++into.skipped[reason];
  }
}

void add_runs(const datasets::Measurements& table, const Wanted& wanted, CalibrationRuns& into) {
  sim::Workspace workspace;
  for (const Measurement& row : table.rows) {
    const std::string reason = add_run(row, wanted, workspace, into.runs);
    if (!reason.empty()) ++into.skipped[reason];
  }
}

}  // namespace

CalibrationRuns calibration_runs(std::span<const datasets::Measurements> tables,
                                 CalibrationSubject subject, const std::string& of) {
  CalibrationRuns runs;
  for (const datasets::Measurements& table : tables) {
    add_runs(table, {.subject = subject, .of = of}, runs);
  }
  return runs;
}

CalibrationRuns calibration_kernels(std::span<const datasets::KernelMeasurements> tables,
                                    const std::string& device) {
  CalibrationRuns kernels;
  for (const datasets::KernelMeasurements& table : tables) {
    add_kernels(table, {.subject = CalibrationSubject::device, .of = device}, kernels);
  }
  return kernels;
}

CalibrationRuns calibration_runs(const datasets::CalibrationPlan& plan) {
  CalibrationRuns runs;
  for (const datasets::CalibrationRows& rows : plan.rows) {
    const Wanted wanted{.subject = plan.subject, .of = plan.of, .rows = rows};
    if (datasets::is_kernel_table(rows.table)) {
      add_kernels(datasets::find_kernel_measurements(rows.table), wanted, runs);
    } else {
      add_runs(datasets::find_measurements(rows.table, plan.name), wanted, runs);
    }
  }
  return runs;
}

}  // namespace cubicbench::predictor
