#include "results/validation/validated_row.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

namespace cubicbench::results {
namespace {

std::optional<double> memory_error(const ValidatedRow& row, const std::optional<double>& measured,
                                   const std::optional<double>& simulated) {
  if (row.status_measured != datasets::MeasurementStatus::ok) return std::nullopt;
  if (!measured || !simulated) return std::nullopt;
  return std::fabs(*simulated - *measured) / *measured;
}

}  // namespace

RowPointers all_rows(const Validation& validation) {
  RowPointers rows;
  for (const ValidatedRow& row : validation.rows) rows.push_back(&row);
  return rows;
}

std::vector<NamedRows> rows_by(RowSpan rows, std::string ValidatedRow::*text) {
  std::vector<NamedRows> all;
  std::map<std::string_view, std::size_t> places;
  for (const ValidatedRow* row : rows) {
    if ((row->*text).empty()) continue;
    const auto [place, is_new] = places.emplace(row->*text, all.size());
    if (is_new) all.push_back({.name = row->*text, .rows = {}});
    all[place->second].rows.push_back(row);
  }
  return all;
}

std::optional<double> time_ratio(const ValidatedRow& row) {
  if (!row.step_time_measured || !row.step_time_simulated) return std::nullopt;
  return *row.step_time_simulated / *row.step_time_measured;
}

std::optional<double> time_factor(const ValidatedRow& row) {
  const std::optional<double> ratio = time_ratio(row);
  if (!ratio) return std::nullopt;
  return std::max(*ratio, 1.0 / *ratio);
}

std::vector<double> time_errors(RowSpan rows) {
  std::vector<double> errors;
  for (const ValidatedRow* row : rows) {
    if (row->rel_error) errors.push_back(std::fabs(*row->rel_error));
  }
  return errors;
}

std::optional<double> peak_error(const ValidatedRow& row) {
  return memory_error(row, row.memory.peak_measured, row.memory.peak_simulated);
}

std::optional<double> static_error(const ValidatedRow& row) {
  return memory_error(row, row.memory.static_measured, row.memory.static_simulated);
}

bool failed(const ValidatedRow& row) {
  return row.status_measured == datasets::MeasurementStatus::oom;
}

bool fails_simulated(const ValidatedRow& row) {
  return row.status_simulated == sim::StepStatus::oom_init ||
         row.status_simulated == sim::StepStatus::oom_late;
}

bool is_hung(const ValidatedRow& row) {
  if (row.kind == RowKind::collective) return false;
  return row.step_time_measured && row.step_time_simulated &&
         *row.step_time_measured > hung_ratio * *row.step_time_simulated;
}

}  // namespace cubicbench::results
