#include "datasets/tables/measurement.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "datasets/tables/collective_measurement.h"
#include "datasets/tables/measurement_schema.h"
#include "datasets/tables/recommendation_measurement.h"
#include "datasets/tables/row_table.h"
#include "support/csv.h"

namespace cubicbench::datasets {
namespace {

/// A table of another kind has some of the columns, and is none of runs.
void refuse_other_kinds(const support::CsvTable& table, const std::string& file) {
  const std::vector<std::string> names = names_of(table.header);
  const std::string other = has_collective_columns(names)       ? "collectives"
                            : has_recommendation_columns(names) ? "recommendation results"
                                                                : "";
  if (!other.empty()) {
    throw support::InputError(support::where_of(file, table.header.cells.front()),
                              "expected the columns of training runs, got those of " + other);
  }
}

}  // namespace

bool has_run_columns(const std::vector<std::string>& header) {
  const auto holds = [&](std::string_view name) { return has_column(header, name); };
  return holds("n_gpus") && (holds("tokens_per_s_per_gpu") || holds("step_time_s"));
}

Measurements read_measurements(std::string_view text, const std::string& file) {
  const support::CsvTable table = support::read_csv(text, file);
  refuse_other_kinds(table, file);
  return read_measurements(table, file);
}

Measurements read_measurements(const support::CsvTable& table, const std::string& file) {
  require_columns(
      table, std::array<ColumnChoice, 2>{{{"n_gpus"}, {"tokens_per_s_per_gpu", "step_time_s"}}},
      file);
  return {.file = file,
          .name = std::filesystem::path(file).stem().string(),
          .rows = read_rows<Measurement>(table, measurement_columns(), file)};
}

std::string measurements_csv(const Measurements& measurements) {
  std::vector<const MeasurementColumn*> columns;
  std::vector<std::string> fields;
  for (const MeasurementColumn& column : measurement_columns()) {
    const auto says = [&](const Measurement& row) { return !cell_text(column, row).empty(); };
    const bool is_required = column.name == "n_gpus" || column.name == "tokens_per_s_per_gpu";
    if (!is_required && !std::ranges::any_of(measurements.rows, says)) continue;
    columns.push_back(&column);
    fields.emplace_back(column.name);
  }
  std::string text = support::csv_record(fields);
  for (const Measurement& row : measurements.rows) {
    std::ranges::transform(columns, fields.begin(), [&](const MeasurementColumn* column) {
      return cell_text(*column, row);
    });
    text += support::csv_record(fields);
  }
  return text;
}

std::optional<double> tokens_per_s_per_gpu(const Measurement& row) {
  if (row.tokens_per_s_per_gpu) return row.tokens_per_s_per_gpu;
  if (!row.step_time_s || !row.global_batch || !row.seq_len || !row.n_gpus) return std::nullopt;
  const double tokens = static_cast<double>(*row.global_batch) * static_cast<double>(*row.seq_len);
  return tokens / (*row.step_time_s * static_cast<double>(*row.n_gpus));
}

}  // namespace cubicbench::datasets
