#include "datasets/validation/validated_row.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

namespace cubicbench::datasets {
namespace {

std::optional<double> memory_error(const ValidatedRow& row, const std::optional<double>& measured,
                                   const std::optional<double>& simulated) {
  if (row.status_measured != MeasurementStatus::ok) return std::nullopt;
  if (!measured || !simulated) return std::nullopt;
  return std::fabs(*simulated - *measured) / *measured;
}

}  // namespace

RowPointers all_rows(const std::vector<ValidatedRow>& rows) {
  RowPointers all;
  for (const ValidatedRow& row : rows) all.push_back(&row);
  return all;
}

RowPointers rows_where(RowSpan rows, bool (*is)(const ValidatedRow&)) {
  RowPointers those;
  std::ranges::copy_if(rows, std::back_inserter(those), [&](const auto* row) { return is(*row); });
  return those;
}

std::vector<double> values_of(RowSpan rows, std::optional<double> (*value)(const ValidatedRow&)) {
  std::vector<double> values;
  for (const ValidatedRow* row : rows) {
    if (const auto of = value(*row)) values.push_back(*of);
  }
  return values;
}

std::vector<NamedRows> rows_by(RowSpan rows,
                               const std::function<std::string(const ValidatedRow&)>& text) {
  std::vector<NamedRows> all;
  std::map<std::string, std::size_t> places;
  for (const ValidatedRow* row : rows) {
    const std::string name = text(*row);
    if (name.empty()) continue;
    const auto [place, is_new] = places.emplace(name, all.size());
    if (is_new) all.push_back({.name = name, .rows = {}});
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

std::optional<double> time_error(const ValidatedRow& row) {
  return row.rel_error ? std::optional(std::fabs(*row.rel_error)) : std::nullopt;
}

std::optional<double> peak_error(const ValidatedRow& row) {
  return memory_error(row, row.memory.peak_measured, row.memory.peak_simulated);
}

std::optional<double> static_error(const ValidatedRow& row) {
  return memory_error(row, row.memory.static_measured, row.memory.static_simulated);
}

bool is_collective(const ValidatedRow& row) { return row.kind == RowKind::collective; }

bool is_run(const ValidatedRow& row) { return !is_collective(row); }

bool failed(const ValidatedRow& row) { return row.status_measured == MeasurementStatus::oom; }

bool fails_simulated(const ValidatedRow& row) {
  return row.status_simulated == sim::StepStatus::oom_init ||
         row.status_simulated == sim::StepStatus::oom_late;
}

bool is_hung(const ValidatedRow& row) {
  return is_run(row) && row.step_time_measured && row.step_time_simulated &&
         *row.step_time_measured > hung_ratio * *row.step_time_simulated;
}

}  // namespace cubicbench::datasets
