#include "datasets/measured_table.h"

#include <algorithm>
#include <array>
#include <vector>

#include "datasets/csv.h"
#include "datasets/measured_catalog.h"

namespace cubicbench::datasets {
namespace {

enum class TableKind { training, collective, recommendation };

/// The first line of the text: enough to see the columns without reading a table twice.
std::string_view first_line(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  const std::size_t start = std::min(text.find_first_not_of("\r\n"), text.size());
  text.remove_prefix(start);
  text = text.substr(0, csv_record_bytes_max);  // of a longer header the reader says so
  return text.substr(0, text.find_first_of("\r\n"));
}

/// Names of the columns, quotes taken off. Damage is the reader's to report.
std::vector<std::string> header_of(std::string_view text) {
  std::vector<std::string> names;
  std::string_view line = first_line(text);
  while (!line.empty()) {
    const std::size_t comma = std::min(line.find(','), line.size());
    std::string_view name = line.substr(0, comma);
    if (name.size() >= 2 && name.front() == '"' && name.back() == '"') {
      name = name.substr(1, name.size() - 2);
    }
    names.emplace_back(name);
    line.remove_prefix(std::min(comma + 1, line.size()));
  }
  return names;
}

/// A table that lacks a column which its kind needs is still told apart by columns that no other
/// kind has, so that what is missing can be named.
TableKind kind_of(const std::vector<std::string>& header) {
  const auto holds = [&](std::string_view name) {
    return std::ranges::find(header, name) != header.end();
  };
  const auto any = [&](auto names) { return std::ranges::any_of(names, holds); };
  if (has_collective_columns(header)) return TableKind::collective;
  if (has_recommendation_columns(header)) return TableKind::recommendation;
  if (holds("tokens_per_s_per_gpu") || holds("step_time_s")) return TableKind::training;
  if (any(std::array<std::string_view, 4>{"collective", "size_bytes", "algbw_gbps",
                                          "busbw_gbps"})) {
    return TableKind::collective;
  }
  if (any(std::array<std::string_view, 4>{"n_accel", "mlperf_round", "samples_per_s",
                                          "samples_per_s_incl_eval_median"})) {
    return TableKind::recommendation;
  }
  return TableKind::training;
}

}  // namespace

DatasetKind kind_of(const MeasuredTable& table) {
  if (std::holds_alternative<CollectiveMeasurements>(table)) return DatasetKind::collectives;
  const bool is_run = std::holds_alternative<Measurements>(table);
  return is_run ? DatasetKind::runs : DatasetKind::recommendation;
}

std::size_t row_count(const MeasuredTable& table) {
  return std::visit([](const auto& measurements) { return measurements.rows.size(); }, table);
}

MeasuredTable read_measured_table(std::string_view text, const std::string& file) {
  switch (kind_of(header_of(text))) {
    case TableKind::collective:
      return read_collective_measurements(text, file);
    case TableKind::recommendation:
      return read_recommendation_measurements(text, file);
    case TableKind::training:
      break;
  }
  return read_measurements(text, file);
}

MeasuredTable find_measured_table(const std::string& name_or_path, const std::string& where) {
  const TableText text = find_table(name_or_path, where);
  MeasuredTable table = read_measured_table(text.text, text.file);
  std::visit([&](auto& measurements) { measurements.name = text.name; }, table);
  return table;
}

}  // namespace cubicbench::datasets
