#include "results/validation/row_keys.h"

#include <array>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "datasets/tables/measurement_schema.h"
#include "sim/base/check.h"

namespace cubicbench::results {
namespace {

using datasets::MeasurementColumn;
using Columns = std::vector<const MeasurementColumn*>;

constexpr std::array<std::string_view, 6> group_columns{"family", "model",   "device",
                                                        "n_gpus", "seq_len", "dtype"};

/// Whatever says what is trained, on what, by what and how; neither results nor batches.
constexpr std::array<std::string_view, 32> ladder_columns{"family",
                                                          "framework",
                                                          "model",
                                                          "n_layers",
                                                          "d_model",
                                                          "n_heads",
                                                          "n_kv_heads",
                                                          "d_ff",
                                                          "vocab",
                                                          "n_experts",
                                                          "top_k",
                                                          "seq_len",
                                                          "device",
                                                          "n_gpus",
                                                          "gpus_per_node",
                                                          "fabric",
                                                          "nic_gbps_per_gpu",
                                                          "stack",
                                                          "dtype",
                                                          "dp",
                                                          "sharding",
                                                          "tp",
                                                          "pp",
                                                          "vp",
                                                          "cp",
                                                          "ep",
                                                          "sp",
                                                          "recompute",
                                                          "offload",
                                                          "compile",
                                                          "attention_impl",
                                                          "n_params_b"};

template <std::size_t count>
Columns columns_of(const std::array<std::string_view, count>& names) {
  Columns columns;
  for (const std::string_view name : names) {
    columns.push_back(datasets::find_measurement_column(name));
    SIM_ASSERT(columns.back() != nullptr, columns.size());
  }
  return columns;
}

std::string joined(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) {
    if (!text.empty()) text += " | ";
    text += part.empty() ? "-" : part;
  }
  return text;
}

std::string joined(const Columns& columns, const datasets::Measurement& row) {
  std::string text;
  for (const MeasurementColumn* column : columns) {
    if (!text.empty()) text += " | ";
    const std::string cell = cell_text(*column, row);
    text += cell.empty() ? "-" : cell;
  }
  return text;
}

std::string count_text(const std::optional<std::int64_t>& count) {
  return count ? std::to_string(*count) : std::string();
}

}  // namespace

std::string group_of(const datasets::Measurement& row) {
  static const Columns columns = columns_of(group_columns);
  return joined(columns, row);
}

std::string group_of(const datasets::RecommendationMeasurement& row) {
  return joined({family_of(row), row.model, row.precision});
}

std::string group_of(const datasets::CollectiveMeasurement& row) {
  return joined({row.system, row.collective, count_text(row.n_gpus)});
}

std::string family_of(const datasets::RecommendationMeasurement& row) {
  return row.accelerator + "/" + count_text(row.n_accel);
}

std::string ladder_of(const datasets::Measurement& row) {
  static const Columns columns = columns_of(ladder_columns);
  return row.micro_batch ? joined(columns, row) : std::string();
}

}  // namespace cubicbench::results
