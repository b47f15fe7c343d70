#include "predictor/calibration/calibration_runs.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

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
  if (wanted.subject == CalibrationSubject::stack && scenario.stack_name != wanted.of) {
    return "another stack";
  }
  const bool other_device =
      wanted.subject == CalibrationSubject::device && scenario.device != wanted.of;
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

CalibrationRuns calibration_runs(const datasets::CalibrationPlan& plan) {
  CalibrationRuns runs;
  for (const datasets::CalibrationRows& rows : plan.rows) {
    add_runs(datasets::find_measurements(rows.table, plan.name),
             {.subject = plan.subject, .of = plan.of, .rows = rows}, runs);
  }
  return runs;
}

}  // namespace cubicbench::predictor
