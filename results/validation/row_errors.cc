#include "results/validation/row_errors.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace cubicbench::results {

std::optional<double> time_ratio(const ValidatedRow& row) {
  if (!row.step_time_measured || !row.step_time_simulated) return std::nullopt;
  return *row.step_time_simulated / *row.step_time_measured;
}

std::optional<double> time_factor(const ValidatedRow& row) {
  const std::optional<double> ratio = time_ratio(row);
  if (!ratio) return std::nullopt;
  return std::max(*ratio, 1.0 / *ratio);
}

std::optional<double> memory_error(const ValidatedRow& row) {
  const ValidatedMemory& memory = row.memory;
  if (row.status_measured != datasets::MeasurementStatus::ok) return std::nullopt;
  if (!memory.peak_measured || !memory.peak_simulated) return std::nullopt;
  return std::fabs(*memory.peak_simulated - *memory.peak_measured) / *memory.peak_measured;
}

bool says_oom(const ValidatedRow& row) {
  return row.status_simulated == sim::StepStatus::oom_init ||
         row.status_simulated == sim::StepStatus::oom_late;
}

std::vector<double> time_errors(const std::vector<const ValidatedRow*>& rows) {
  std::vector<double> errors;
  for (const ValidatedRow* row : rows) {
    if (row->rel_error) errors.push_back(std::fabs(*row->rel_error));
  }
  return errors;
}

std::vector<SourceRows> by_source(const Validation& validation) {
  std::vector<SourceRows> sources;
  for (const ValidatedRow& row : validation.rows) {
    auto found = std::ranges::find(sources, row.source, &SourceRows::source);
    if (found == sources.end()) {
      sources.push_back({.source = row.source, .kind = row.kind, .rows = {}});
      found = std::prev(sources.end());
    }
    found->rows.push_back(&row);
  }
  return sources;
}

}  // namespace cubicbench::results
