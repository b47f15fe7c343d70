#include "datasets/validation/row_keys.h"

#include <algorithm>
#include <ranges>
#include <string_view>
#include <utility>
#include <vector>

#include "datasets/tables/measurement_schema.h"
#include "sim/base/check.h"
#include "support/joined.h"

namespace cubicbench::datasets {
namespace {

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
  for (const auto name : std::views::split(names, ' ')) {
    columns.push_back(find_measurement_column({name.begin(), name.end()}));
    SIM_ASSERT(columns.back() != nullptr, names);
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
