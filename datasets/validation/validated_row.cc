#include "datasets/validation/validated_row.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "datasets/tables/measurement_schema.h"
#include "sim/base/check.h"
#include "support/joined.h"

namespace cubicbench::datasets {
namespace {

std::optional<double> memory_error(const ValidatedRow& row, const std::optional<double>& measured,
                                   const std::optional<double>& simulated) {
  if (row.status_measured != MeasurementStatus::ok) return std::nullopt;
  if (!measured || !simulated) return std::nullopt;
  return std::fabs(*simulated - *measured) / *measured;
}

using Columns = std::vector<const MeasurementColumn*>;

constexpr std::string_view group_columns = "family model device n_gpus seq_len dtype";

/// Whatever says what is trained, on what, by what and how; neither results nor batches.
constexpr std::string_view ladder_columns =
    "family framework model n_layers d_model n_heads n_kv_heads d_ff vocab n_experts top_k seq_len "
    "device n_gpus gpus_per_node fabric nic_gbps_per_gpu stack dtype dp sharding tp pp vp cp ep sp "
    "recompute offload compile attention_impl n_params_b";

/// The columns of these names, which spaces part.
Columns columns_of(std::string_view names) {
  Columns columns;
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(' '), names.size());
    columns.push_back(find_measurement_column(names.substr(0, end)));
    SIM_ASSERT(columns.back() != nullptr, names);
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return columns;
}

std::string joined(std::vector<std::string> parts) {
  std::ranges::replace(parts, std::string(), std::string("-"));
  return support::joined(parts, " | ");
}

std::string joined(const Columns& columns, const Measurement& row) {
  std::vector<std::string> cells;
  for (const MeasurementColumn* column : columns) cells.push_back(cell_text(*column, row));
  return joined(std::move(cells));
}

std::string count_text(const std::optional<std::int64_t>& count) {
  return count ? std::to_string(*count) : std::string();
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

std::string group_of(const Measurement& row) {
  static const Columns columns = columns_of(group_columns);
  return joined(columns, row);
}

std::string group_of(const RecommendationMeasurement& row) {
  return joined({family_of(row), row.model, row.precision});
}

std::string group_of(const CollectiveMeasurement& row) {
  return joined({row.system, row.collective, count_text(row.n_gpus)});
}

std::string family_of(const RecommendationMeasurement& row) {
  return row.accelerator + "/" + count_text(row.n_accel);
}

std::string ladder_of(const Measurement& row) {
  static const Columns columns = columns_of(ladder_columns);
  return row.micro_batch ? joined(columns, row) : std::string();
}

}  // namespace cubicbench::datasets
