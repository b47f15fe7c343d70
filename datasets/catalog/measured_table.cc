#include "datasets/catalog/measured_table.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <utility>

#include "datasets/tables/row_table.h"
#include "support/csv.h"
#include "support/input_error.h"

namespace cubicbench::datasets {
namespace {

/// A table that lacks a column which its kind needs is still told apart by columns that no other
/// kind has, so that what is missing can be named.
DatasetKind nearest_kind(const std::vector<std::string>& header) {
  const auto holds = [&](std::string_view name) { return has_column(header, name); };
  const auto any = [&](auto names) { return std::ranges::any_of(names, holds); };
  if (holds("tokens_per_s_per_gpu") || holds("step_time_s")) return DatasetKind::runs;
  if (any(std::array<std::string_view, 4>{"collective", "size_bytes", "algbw_gbps",
                                          "busbw_gbps"})) {
    return DatasetKind::collectives;
  }
  if (any(std::array<std::string_view, 4>{"n_accel", "mlperf_round", "samples_per_s",
                                          "samples_per_s_incl_eval_median"})) {
    return DatasetKind::recommendation;
  }
  return DatasetKind::runs;
}

/// The kinds of rows that the columns have room for, in the order in which a row is asked.
std::vector<DatasetKind> kinds_of(const std::vector<std::string>& header) {
  std::vector<DatasetKind> kinds;
  if (has_collective_columns(header)) kinds.push_back(DatasetKind::collectives);
  if (has_recommendation_columns(header)) kinds.push_back(DatasetKind::recommendation);
  if (has_run_columns(header)) kinds.push_back(DatasetKind::runs);
  if (kinds.empty()) kinds.push_back(nearest_kind(header));
  return kinds;
}

/// Rows of one kind, as they stand in the file.
struct Part {
  DatasetKind kind;
  support::CsvTable table;
};

/// Which of `parts` a row belongs to: the first of whose kind it fills the cell that only that kind
/// has, else the last.
Part& part_of(const support::CsvRecord& record, std::vector<Part>& parts) {
  const auto says = [&](const Part& part) {
    const char* const name = part.kind == DatasetKind::collectives ? "collective" : "n_accel";
    const std::optional<std::size_t> column = part.table.column(name);
    return part.kind == DatasetKind::runs || (column && !record.cells[*column].text.empty());
  };
  const auto found = std::ranges::find_if(parts, says);
  return found == parts.end() ? parts.back() : *found;
}

/// By kind; at least one part.
std::vector<Part> parts_of(support::CsvTable table) {
  const std::vector<DatasetKind> kinds = kinds_of(names_of(table.header));
  std::vector<Part> parts;
  if (kinds.size() == 1 || table.records.empty()) {
    parts.push_back({kinds.front(), std::move(table)});
    return parts;
  }
  for (const DatasetKind kind : kinds) {
    parts.push_back({kind, support::CsvTable{.header = table.header, .records = {}}});
  }
  for (support::CsvRecord& record : table.records) {
    Part& part = part_of(record, parts);
    part.table.records.push_back(std::move(record));
  }
  std::erase_if(parts, [](const Part& part) { return part.table.records.empty(); });
  return parts;
}

MeasuredTable read_part(const Part& part, const std::string& file) {
  if (part.kind == DatasetKind::runs) return read_measurements(part.table, file);
  if (part.kind == DatasetKind::collectives) return read_collective_measurements(part.table, file);
  return read_recommendation_measurements(part.table, file);
}

using support::InputError;

std::vector<std::string> shipped_names() {
  std::vector<std::string> names;
  for (const NamedDataset& dataset : named_datasets()) {
    if (dataset.measured) names.emplace_back(dataset.name);
  }
  return names;
}

const std::string& name_of(const MeasuredTable& table) {
  return std::visit([](const auto& rows) -> const std::string& { return rows.name; }, table);
}

/// A header alone is a table that lost its rows.
std::vector<MeasuredTable> find_with_rows(const std::string& name, const std::string& where,
                                          GivenColumns given) {
  std::vector<MeasuredTable> tables = find_measured_tables(name, where, given);
  if (row_count(tables.front()) == 0) {
    throw InputError(name + ":2:1", "expected a row below the header, got the end of the file");
  }
  return tables;
}

}  // namespace

template <DatasetKind kind, class Table>
constexpr bool is_table_of =
    std::is_same_v<std::variant_alternative_t<static_cast<std::size_t>(kind), MeasuredTable>,
                   Table>;
static_assert(is_table_of<DatasetKind::runs, Measurements> &&
              is_table_of<DatasetKind::collectives, CollectiveMeasurements> &&
              is_table_of<DatasetKind::recommendation, RecommendationMeasurements>);

DatasetKind kind_of(const MeasuredTable& table) { return static_cast<DatasetKind>(table.index()); }

std::size_t row_count(const MeasuredTable& table) {
  return std::visit([](const auto& measurements) { return measurements.rows.size(); }, table);
}

std::vector<MeasuredTable> read_measured_tables(std::string_view text, const std::string& file) {
  std::vector<MeasuredTable> tables;
  std::vector<support::Problem> problems;
  for (const Part& part : parts_of(support::read_csv(text, file))) {
    tables.push_back(support::gathered(problems, [&] { return read_part(part, file); }));
  }
  support::throw_if_any(problems);
  return tables;
}

MeasuredTable read_measured_table(std::string_view text, const std::string& file) {
  std::vector<MeasuredTable> tables = read_measured_tables(text, file);
  if (tables.size() == 1) return std::move(tables.front());
  std::string kinds;
  for (const MeasuredTable& table : tables) {
    kinds += (kinds.empty() ? "" : ", ") + std::string(name_of(kind_of(table)));
  }
  throw support::InputError(file, "expected rows of one kind, got " + kinds);
}

std::vector<MeasuredTable> find_measured_tables(const std::string& name_or_path,
                                                const std::string& where, GivenColumns given) {
  const TableText text = find_table(name_or_path, where, 0, given);
  std::vector<MeasuredTable> tables = read_measured_tables(text.text, text.file);
  for (MeasuredTable& table : tables) {
    std::visit([&](auto& measurements) { measurements.name = text.name; }, table);
  }
  return tables;
}

std::vector<MeasuredTable> find_measured_tables(std::span<const std::string> names_or_paths,
                                                const std::string& where, GivenColumns given) {
  std::vector<std::string> names(names_or_paths.begin(), names_or_paths.end());
  if (names.empty()) names = shipped_names();
  std::vector<support::Problem> problems;
  std::vector<MeasuredTable> tables;
  std::map<std::string, std::string> first;
  for (const std::string& name : names) {
    std::vector<MeasuredTable> read =
        support::gathered(problems, [&] { return find_with_rows(name, where, given); });
    if (read.empty()) continue;
    const auto [earlier, is_new] = first.emplace(name_of(read.front()), name);
    if (is_new) {
      std::ranges::move(read, std::back_inserter(tables));
    } else {
      problems.push_back({name, "expected a table of another name than " + earlier->second +
                                    ", got \"" + support::shortened(earlier->first) + "\" again"});
    }
  }
  support::throw_if_any(problems);
  return tables;
}

}  // namespace cubicbench::datasets
