#include "predictor/calibration/calibration_runs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "datasets/catalog/measured_catalog.h"
#include "datasets/mapping/mapped_kernel.h"
#include "datasets/mapping/mapped_recommendation.h"
#include "datasets/mapping/measured_run.h"
#include "datasets/mapping/named_parts.h"
#include "datasets/mapping/text_match.h"
#include "datasets/tables/measurement_schema.h"
#include "predictor/calibration/laid_out.h"

namespace cubicbench::predictor {
namespace {

using datasets::CalibrationSubject;
using datasets::LeftOut;
using datasets::Measurement;
using datasets::RecommendationMeasurement;

/// One selection, of everything.
std::span<const datasets::CalibrationRows> everything() {
  static const std::array<datasets::CalibrationRows, 1> all{};
  return all;
}

/// Which rows are wanted: those that at least one selection asks for.
struct Wanted {
  CalibrationSubject subject;
  const std::string& of;
  const datasets::Library& among;
  std::span<const datasets::CalibrationRows> selections = everything();
  LeftOut left_out = LeftOut::model;
};

/// What the first selection has against a row, or "" when one has nothing against it.
template <class Reason>
std::string unselected_reason(const Wanted& wanted, Reason reason_of) {
  std::string first;
  for (const datasets::CalibrationRows& rows : wanted.selections) {
    std::string reason = reason_of(rows);
    if (reason.empty()) return "";
    if (first.empty()) first = std::move(reason);
  }
  return first;
}

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

/// Why a selection does not ask for a row, by its cells; "" when it does.
std::string cell_reason(const Measurement& row, const datasets::CalibrationRows& rows) {
  if (!is_in_part(row, rows.part)) return "another part";
  if (!datasets::contains_any_case(row.family, rows.family)) return "another family";
  if (!datasets::contains_any_case(row.source, rows.source)) return "another source";
  return "";
}

std::string cell_reason(const RecommendationMeasurement& row,
                        const datasets::CalibrationRows& rows) {
  return datasets::contains_any_case(row.source, rows.source) ? "" : "another source";
}

/// What a run is left out with.
std::string group_of(const std::string& model, const std::string& row,
                     const scenarios::Scenario& scenario, LeftOut left_out) {
  switch (left_out) {
    case LeftOut::model:
      break;
    case LeftOut::generation:
      return std::string(datasets::generation_of(scenario.device));
    case LeftOut::row:
      return row;
  }
  return model;
}

/// Why a run is not wanted; "" when it is.
template <class Row>
std::string unwanted_reason(const Row& row, const scenarios::Scenario& scenario,
                            const Wanted& wanted) {
  const bool of_stack = wanted.subject == CalibrationSubject::stack;
  const std::string& is_of = of_stack ? scenario.stack_name : scenario.device;
  if (!wanted.of.empty() && is_of != wanted.of)
    return of_stack ? "another stack" : "another device";
  return unselected_reason(wanted, [&](const datasets::CalibrationRows& rows) {
    const bool other_device = !rows.device.empty() && scenario.device != rows.device;
    return other_device ? std::string("another device") : cell_reason(row, rows);
  });
}

/// A run, or why the row is none.
std::string add_run(const Measurement& row, const Wanted& wanted, sim::Workspace& workspace,
                    std::vector<CalibrationRun>& runs) {
  if (std::string reason = untimed_reason(row); !reason.empty()) return reason;
  std::string unselected = unselected_reason(
      wanted, [&](const datasets::CalibrationRows& rows) { return cell_reason(row, rows); });
  if (!unselected.empty()) return unselected;
  datasets::MappedRun mapped =
      datasets::map_run(row, datasets::NetworkOfRun::measured, wanted.among);
  if (!mapped.run) return mapped.reason;
  scenarios::Scenario& scenario = mapped.run->scenario;
  if (std::string reason = unwanted_reason(row, scenario, wanted); !reason.empty()) return reason;
  if (!can_be_laid_out(scenario, workspace)) return "the plan cannot be laid out";
  const sim::Seconds step = datasets::measured_step(row, scenario);
  if (!std::isfinite(step.value) || step.value <= 0.0) return "no time";
  std::string model =
      group_of(row.model.empty() ? row.family : row.model, row.id, scenario, wanted.left_out);
  runs.push_back(
      {.scenario = std::move(scenario), .step = step, .model = std::move(model), .row = row});
  return "";
}

/// The same of a recommendation result. One that was carried over from an earlier round is there
/// already.
std::string add_run(const RecommendationMeasurement& row, const Wanted& wanted,
                    sim::Workspace& workspace, std::vector<CalibrationRun>& runs) {
  if (!row.repeat_of_round.empty()) return "a result of an earlier round";
  if (!row.samples_per_s || *row.samples_per_s <= 0.0) return "no time";
  datasets::MappedRun mapped = datasets::map_recommendation(row);
  if (!mapped.run) return mapped.reason;
  scenarios::Scenario& scenario = mapped.run->scenario;
  if (std::string reason = unwanted_reason(row, scenario, wanted); !reason.empty()) return reason;
  if (!can_be_laid_out(scenario, workspace)) return "the plan cannot be laid out";
  const double samples = scenarios::samples_per_step(scenario, scenario.baseline);
  std::string group = group_of(row.model, row.id, scenario, wanted.left_out);
  runs.push_back({.scenario = std::move(scenario),
                  .step = sim::Seconds{samples / *row.samples_per_s},
                  .model = std::move(group)});
  return "";
}

/// A kernel, or why the row is none.
std::string add_kernel(const datasets::KernelMeasurement& row, datasets::KernelKind kind,
                       const Wanted& wanted, std::vector<CalibrationKernel>& kernels) {
  std::string unselected =
      unselected_reason(wanted, [&](const datasets::CalibrationRows& rows) -> std::string {
        if (!row.dtype.starts_with(rows.dtype)) return "another number format";
        return datasets::contains_any_case(row.source, rows.source) ? "" : "another source";
      });
  if (!unselected.empty()) return unselected;
  datasets::MappedKernel mapped = datasets::map_kernel(row, kind, wanted.among);
  if (!mapped.kernel) return mapped.reason;
  if (!wanted.of.empty() && mapped.kernel->device != wanted.of) return "another device";
  const sim::Device& device = wanted.among.devices.find(mapped.kernel->device)->second;
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

template <class Table>
void add_runs(const Table& table, const Wanted& wanted, CalibrationRuns& into) {
  sim::Workspace workspace;
  for (const auto& row : table.rows) {
    const std::string reason = add_run(row, wanted, workspace, into.runs);
    if (!reason.empty()) ++into.skipped[reason];
  }
}

struct TableSelections {
  std::string table;
  std::vector<datasets::CalibrationRows> selections{};
};

/// Tables in the order in which the plan names them first.
std::vector<TableSelections> selections_by_table(const datasets::CalibrationPlan& plan) {
  std::vector<TableSelections> tables;
  for (const datasets::CalibrationRows& rows : plan.rows) {
    auto at = std::ranges::find(tables, rows.table, &TableSelections::table);
    if (at == tables.end()) at = tables.insert(at, {.table = rows.table});
    at->selections.push_back(rows);
  }
  return tables;
}

}  // namespace

CalibrationRuns calibration_runs(std::span<const datasets::Measurements> tables,
                                 CalibrationSubject subject, const std::string& of,
                                 const datasets::Library& among) {
  CalibrationRuns runs;
  const Wanted wanted{.subject = subject, .of = of, .among = among};
  for (const datasets::Measurements& table : tables) add_runs(table, wanted, runs);
  return runs;
}

CalibrationRuns calibration_runs(std::span<const datasets::RecommendationMeasurements> tables,
                                 CalibrationSubject subject, const std::string& of) {
  CalibrationRuns runs;
  const Wanted wanted{
      .subject = subject, .of = of, .among = datasets::library(), .left_out = LeftOut::row};
  for (const datasets::RecommendationMeasurements& table : tables) add_runs(table, wanted, runs);
  return runs;
}

CalibrationRuns calibration_kernels(std::span<const datasets::KernelMeasurements> tables,
                                    const std::string& device, const datasets::Library& among) {
  CalibrationRuns kernels;
  const Wanted wanted{.subject = CalibrationSubject::device, .of = device, .among = among};
  for (const datasets::KernelMeasurements& table : tables) add_kernels(table, wanted, kernels);
  return kernels;
}

CalibrationRuns calibration_runs(const datasets::CalibrationPlan& plan) {
  CalibrationRuns runs;
  for (const auto& [table, selections] : selections_by_table(plan)) {
    const Wanted wanted{.subject = plan.subject,
                        .of = plan.of,
                        .among = datasets::library(),
                        .selections = selections,
                        .left_out = plan.left_out};
    if (datasets::is_kernel_table(table)) {
      add_kernels(datasets::find_kernel_measurements(table), wanted, runs);
    } else if (datasets::is_recommendation_table(table)) {
      add_runs(datasets::find_recommendation_measurements(table, plan.name), wanted, runs);
    } else {
      add_runs(datasets::find_measurements(table, plan.name), wanted, runs);
    }
  }
  return runs;
}

std::vector<std::pair<std::string, std::size_t>> skipped_by_count(const CalibrationRuns& runs) {
  std::vector<std::pair<std::string, std::size_t>> reasons(runs.skipped.begin(),
                                                           runs.skipped.end());
  std::ranges::stable_sort(reasons, std::greater<>{},
                           [](const auto& reason) { return reason.second; });
  return reasons;
}

}  // namespace cubicbench::predictor
