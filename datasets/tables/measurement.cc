#include "datasets/tables/measurement.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <span>
#include <utility>
#include <vector>

#include "datasets/tables/collective_measurement.h"
#include "datasets/tables/measurement_schema.h"
#include "datasets/tables/recommendation_measurement.h"
#include "support/csv.h"
#include "support/input_error.h"
#include "support/suggestion.h"

namespace cubicbench::datasets {
namespace {

using support::shortened;

/// The schema's columns of a table: null where the schema has none of that name.
std::vector<const MeasurementColumn*> columns_of(const support::CsvTable& table) {
  std::vector<const MeasurementColumn*> columns;
  for (const support::CsvCell& cell : table.header.cells) {
    columns.push_back(find_measurement_column(cell.text));
  }
  return columns;
}

/// A misspelt column would be ignored like any other unknown one; that the few which every table
/// needs are there shows that this is such a table at all.
void check_required(const support::CsvTable& table, const std::string& file) {
  std::vector<std::string> names;
  for (const support::CsvCell& cell : table.header.cells) names.push_back(cell.text);
  std::vector<support::Problem> problems;
  const std::string where = support::where_of(file, table.header.cells.front());
  const auto require = [&](const std::string& name, const std::string& expected) {
    problems.push_back(
        {.where = where,
         .text = "expected " + expected + ", got none" + support::did_you_mean(name, names)});
  };
  if (!table.column("n_gpus")) require("n_gpus", "a column n_gpus");
  if (!table.column("tokens_per_s_per_gpu") && !table.column("step_time_s")) {
    require("tokens_per_s_per_gpu", "a column tokens_per_s_per_gpu or step_time_s");
  }
  support::throw_if_any(problems);
}

/// A table of another kind has some of the columns, and is none of runs.
void refuse_other_kinds(const support::CsvTable& table, const std::string& file) {
  std::vector<std::string> names;
  for (const support::CsvCell& cell : table.header.cells) names.push_back(cell.text);
  const std::string other = has_collective_columns(names)       ? "collectives"
                            : has_recommendation_columns(names) ? "recommendation results"
                                                                : "";
  if (!other.empty()) {
    throw support::InputError(support::where_of(file, table.header.cells.front()),
                              "expected the columns of training runs, got those of " + other);
  }
}

/// Nothing when a cell is wrong, which is added to `problems`.
std::optional<Measurement> measurement_of(const support::CsvRecord& record,
                                          std::span<const MeasurementColumn* const> columns,
                                          const std::string& file,
                                          support::TableProblems& problems) {
  Measurement row;
  row.line = record.line;
  bool right = true;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i] == nullptr) continue;
    const support::CsvCell& cell = record.cells[i];
    if (const std::string expected = set_cell(*columns[i], cell.text, row); !expected.empty()) {
      right = false;
      problems.add(support::where_of(file, cell), "expected " + expected + " in column " +
                                                      std::string(columns[i]->name) + ", got \"" +
                                                      shortened(cell.text) + "\"");
    }
  }
  return right ? std::optional(row) : std::nullopt;
}

}  // namespace

bool has_run_columns(const std::vector<std::string>& header) {
  const auto holds = [&](std::string_view name) {
    return std::ranges::find(header, name) != header.end();
  };
  return holds("n_gpus") && (holds("tokens_per_s_per_gpu") || holds("step_time_s"));
}

Measurements read_measurements(std::string_view text, const std::string& file) {
  const support::CsvTable table = support::read_csv(text, file);
  refuse_other_kinds(table, file);
  return read_measurements(table, file);
}

Measurements read_measurements(const support::CsvTable& table, const std::string& file) {
  check_required(table, file);
  const std::vector<const MeasurementColumn*> columns = columns_of(table);
  Measurements measurements{
      .file = file, .name = std::filesystem::path(file).stem().string(), .rows = {}};
  support::TableProblems problems(file);
  for (const support::CsvRecord& record : table.records) {
    std::optional<Measurement> row = measurement_of(record, columns, file, problems);
    if (!row) continue;
    if (row->id.empty()) row->id = measurements.name + ":" + std::to_string(row->line);
    measurements.rows.push_back(std::move(*row));
  }
  problems.throw_if_any();
  return measurements;
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
