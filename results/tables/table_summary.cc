#include "results/tables/table_summary.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <variant>

#include "datasets/catalog/measured_table.h"
#include "datasets/jobs/measured_dataset.h"
#include "datasets/tables/measurement_schema.h"
#include "results/document/json.h"
#include "results/document/number_text.h"
#include "support/csv.h"
#include "support/input_error.h"
#include "support/json/json_document.h"
#include "support/parsed.h"

namespace cubicbench::results {
namespace {

using datasets::MeasurementStatus;

constexpr std::array all_status{MeasurementStatus::ok, MeasurementStatus::oom,
                                MeasurementStatus::other, MeasurementStatus::requirement};
constexpr std::size_t frequent_max = 3;

/// Distinct cells that are not empty, and how often each is there.
using Frequencies = std::map<std::string, std::size_t>;

std::string number_text(double value) {
  const bool is_count = std::floor(value) == value && std::abs(value) < 1e9;
  return is_count ? std::to_string(static_cast<std::int64_t>(value)) : scaled(value);
}

/// "8 to 512"; nothing unless all of them are numbers.
std::optional<std::string> range_text(const Frequencies& cells) {
  std::vector<double> numbers;
  for (const auto& [text, times] : cells) {
    const std::optional<double> number = support::parsed<double>(text);
    if (!number || !std::isfinite(*number)) return std::nullopt;
    numbers.push_back(*number);
  }
  if (numbers.empty()) return std::nullopt;
  const auto [low, high] = std::ranges::minmax(numbers);
  return low == high ? number_text(low) : number_text(low) + " to " + number_text(high);
}

/// The most frequent cells and how often each is there; equally frequent ones by their text.
std::string frequent_text(const Frequencies& cells) {
  std::vector<std::pair<std::string, std::size_t>> sorted(cells.begin(), cells.end());
  std::ranges::stable_sort(sorted, std::ranges::greater{},
                           [](const auto& entry) { return entry.second; });
  std::string text;
  for (std::size_t i = 0; i < std::min(sorted.size(), frequent_max); ++i) {
    const auto& [value, count] = sorted[i];
    text += (i == 0 ? "" : ", ") + value + (count > 1 ? " (" + grouped(count) + ")" : "");
  }
  return support::shortened(text + (sorted.size() > frequent_max ? ", ..." : ""));
}

Table columns_of(const support::CsvTable& csv) {
  Table table{.columns = {{"name", "column"},
                          {"kind", "kind"},
                          {"missing", "missing", Show::count},
                          {"values", "values", Show::count},
                          {"content", "content"}}};
  for (std::size_t i = 0; i < csv.header.cells.size(); ++i) {
    Frequencies cells;
    for (const support::CsvRecord& record : csv.records) ++cells[record.cells[i].text];
    const auto empty = cells.extract("");
    const std::optional<std::string> range = range_text(cells);
    table.rows.push_back({csv.header.cells[i].text, range ? "number" : "category",
                          empty ? empty.mapped() : 0, cells.size(),
                          range ? *range : frequent_text(cells)});
  }
  return table;
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

std::string learning_text(const TableSummary& summary) {
  if (summary.kind == datasets::DatasetKind::runs) {
    return "Predictors learn the rate from " + grouped(summary.timed) +
           " jobs and what fits from " + grouped(summary.fitting) + ".";
  }
  return "Predictors cannot learn from this table (" + std::string(name_of(summary.kind)) +
         "); validate reads it.";
}

}  // namespace

TableSummary summary_of(const datasets::TableText& table) {
  const datasets::MeasuredTable measured = datasets::read_measured_table(table.text, table.file);
  TableSummary summary{.name = table.name,
                       .kind = datasets::kind_of(measured),
                       .rows = datasets::row_count(measured),
                       .columns = columns_of(support::read_csv(table.text, table.file))};
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
  document["columns"] = json_of(chosen(summary.columns, {"name", "kind", "missing", "values"}));
  for (const MeasurementStatus status : all_status) {
    document["status"][std::string(name_of(status))] =
        summary.status[static_cast<std::size_t>(status)];
  }
  return support::document_text(document);
}

Document summary_document(const TableSummary& summary) {
  std::string text = summary.name + ": " + grouped(summary.rows) + " rows";
  for (const MeasurementStatus status : all_status) {
    const std::size_t count = summary.status[static_cast<std::size_t>(status)];
    if (count > 0) text += ", " + grouped(count) + " " + std::string(name_of(status));
  }
  Document document;
  document.add(Paragraph{text});
  document.add(Paragraph{learning_text(summary)});
  for (const std::string& note : summary.notes) document.add(Paragraph{"Note: " + note + "."});
  document.add(summary.columns);
  return document;
}

}  // namespace cubicbench::results
