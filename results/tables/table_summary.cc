#include "results/tables/table_summary.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <variant>

#include "datasets/catalog/measured_table.h"
#include "datasets/jobs/measured_dataset.h"
#include "datasets/tables/measurement_schema.h"
#include "results/layout/columns.h"
#include "results/document/number_text.h"
#include "support/csv.h"
#include "support/input_error.h"
#include "support/json/json_document.h"

namespace cubicbench::results {
namespace {

using datasets::MeasurementStatus;

constexpr std::array all_status{MeasurementStatus::ok, MeasurementStatus::oom,
                                MeasurementStatus::other, MeasurementStatus::requirement};
constexpr std::size_t frequent_max = 3;

std::optional<double> number_of(const std::string& text) {
  double number = 0.0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stop != end || !std::isfinite(number)) return std::nullopt;
  return number;
}

/// Sets range and kind from the distinct cells.
void measure_numbers(const std::map<std::string, std::size_t>& count, ColumnSummary& column) {
  column.is_number = !count.empty();
  bool first = true;
  for (const auto& [text, times] : count) {
    const std::optional<double> number = number_of(text);
    if (!number) {
      column.is_number = false;
      return;
    }
    column.low = first ? *number : std::min(column.low, *number);
    column.high = first ? *number : std::max(column.high, *number);
    first = false;
  }
}

ColumnSummary column_summary(const support::CsvTable& table, std::size_t position) {
  ColumnSummary column{.name = table.header.cells[position].text};
  std::map<std::string, std::size_t> count;
  for (const support::CsvRecord& record : table.records) {
    const std::string& text = record.cells[position].text;
    if (text.empty()) {
      ++column.missing;
    } else {
      ++count[text];
    }
  }
  column.values = count.size();
  measure_numbers(count, column);
  column.frequent.assign(count.begin(), count.end());
  // Equally frequent ones stay in the order of their text.
  std::ranges::stable_sort(column.frequent, std::ranges::greater{},
                           [](const auto& entry) { return entry.second; });
  column.frequent.resize(std::min(column.frequent.size(), frequent_max));
  return column;
}

std::string grouped_count(std::size_t count) { return grouped(static_cast<std::uint64_t>(count)); }

std::string number_text(double value) {
  const bool is_count = std::floor(value) == value && std::abs(value) < 1e9;
  return is_count ? std::to_string(static_cast<std::int64_t>(value)) : scaled(value);
}

/// "8 to 512", or the most frequent cells and how often each is there.
std::string content_text(const ColumnSummary& column) {
  if (column.values == 0) return "";
  if (column.is_number) {
    const std::string low = number_text(column.low);
    return column.low == column.high ? low : low + " to " + number_text(column.high);
  }
  std::string text;
  for (const auto& [value, count] : column.frequent) {
    if (!text.empty()) text += ", ";
    text += value + (count > 1 ? " (" + grouped_count(count) + ")" : "");
  }
  return support::shortened(text + (column.values > column.frequent.size() ? ", ..." : ""));
}

/// What predictors learn from a table of runs.
void count_jobs(const datasets::Measurements& runs, TableSummary& summary) {
  for (const datasets::Measurement& row : runs.rows) {
    ++summary.status[static_cast<std::size_t>(row.status)];
    const std::optional<datasets::JobStatus> job = datasets::job_status_of(row);
    if (job) ++summary.fitting;
    if (job == datasets::JobStatus::ok) ++summary.timed;
  }
  summary.notes = datasets::notes_on_jobs(runs);
}

}  // namespace

TableSummary summary_of(const datasets::TableText& table) {
  const datasets::MeasuredTable measured = datasets::read_measured_table(table.text, table.file);
  const support::CsvTable csv = support::read_csv(table.text, table.file);
  TableSummary summary{.name = table.name,
                       .kind = datasets::kind_of(measured),
                       .rows = datasets::row_count(measured)};
  for (std::size_t i = 0; i < csv.header.cells.size(); ++i) {
    summary.columns.push_back(column_summary(csv, i));
  }
  if (const auto* const runs = std::get_if<datasets::Measurements>(&measured)) {
    count_jobs(*runs, summary);
  } else {
    summary.status.front() = summary.rows;
  }
  return summary;
}

std::string summary_json(const TableSummary& summary) {
  nlohmann::ordered_json document = support::new_document("dataset");
  document["name"] = summary.name;
  document["rows"] = summary.rows;
  document["columns"] = nlohmann::ordered_json::array();
  for (const ColumnSummary& column : summary.columns) {
    document["columns"].push_back({{"name", column.name},
                                   {"kind", column.is_number ? "number" : "category"},
                                   {"missing", column.missing},
                                   {"values", column.values}});
  }
  document["status"] = nlohmann::ordered_json::object();
  for (const MeasurementStatus status : all_status) {
    document["status"][std::string(name_of(status))] =
        summary.status[static_cast<std::size_t>(status)];
  }
  return support::document_text(document);
}

std::string summary_text(const TableSummary& summary) {
  std::string text = summary.name + ": " + grouped_count(summary.rows) + " rows";
  for (const MeasurementStatus status : all_status) {
    const std::size_t count = summary.status[static_cast<std::size_t>(status)];
    if (count > 0) text += ", " + grouped_count(count) + " " + std::string(name_of(status));
  }
  if (summary.kind == datasets::DatasetKind::runs) {
    text += "\nPredictors learn the rate from " + grouped_count(summary.timed) +
            " jobs and what fits from " + grouped_count(summary.fitting) + ".\n";
  } else {
    text += "\nThese are no training jobs for predictors (" + std::string(name_of(summary.kind)) +
            "); validate reads them.\n";
  }
  for (const std::string& note : summary.notes) text += "Note: " + note + ".\n";
  text += "\n";
  // The last column is text and stands beside what is aligned.
  std::vector<std::vector<std::string>> rows{{"COLUMN", "KIND", "MISSING", "VALUES"}};
  for (const ColumnSummary& column : summary.columns) {
    rows.push_back({column.name, column.is_number ? "number" : "category",
                    grouped_count(column.missing), grouped_count(column.values)});
  }
  const std::string aligned = columns_text(rows);
  std::size_t start = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t end = aligned.find('\n', start);
    text += aligned.substr(start, end - start);
    const std::string content = i == 0 ? "CONTENT" : content_text(summary.columns[i - 1]);
    text += (content.empty() ? "" : "  " + content) + "\n";
    start = end + 1;
  }
  return text;
}

}  // namespace cubicbench::results
