#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "support/cell_value.h"
#include "support/csv.h"
#include "support/input_error.h"
#include "support/parsed.h"
#include "support/suggestion.h"

namespace cubicbench::datasets {

/// What a cell says that is a quantity of zero.
enum class ZeroCell {
  refused,  ///< nothing sensible: bad input
  empty,    ///< nothing: published tables round small bandwidths to zero
  kept,     ///< zero, which whoever reads the row answers for
};

/// A column of a published table and where a row keeps its cells.
template <typename Row>
struct RowColumn {
  std::string_view name;
  std::variant<std::string Row::*, std::optional<std::int64_t> Row::*, std::optional<double> Row::*>
      member;
  ZeroCell zero = ZeroCell::refused;
};

/// Columns of which a table needs one.
using ColumnChoice = std::vector<std::string>;

inline std::vector<std::string> names_of(const support::CsvRecord& header) {
  std::vector<std::string> names;
  for (const support::CsvCell& cell : header.cells) names.push_back(cell.text);
  return names;
}

inline bool has_column(const std::vector<std::string>& header, std::string_view name) {
  return std::ranges::find(header, name) != header.end();
}

/// Throws InputError for every choice of which the table has no column, with a suggestion. A
/// misspelt column would be ignored like any other unknown one.
inline void require_columns(const support::CsvTable& table, std::span<const ColumnChoice> choices,
                            const std::string& file) {
  const std::vector<std::string> names = names_of(table.header);
  std::vector<support::Problem> problems;
  for (const ColumnChoice& choice : choices) {
    const auto is_there = [&](const std::string& name) { return has_column(names, name); };
    if (std::ranges::any_of(choice, is_there)) continue;
    std::string expected = choice.front();
    for (std::size_t i = 1; i < choice.size(); ++i) {
      expected += (i + 1 == choice.size() ? " or " : ", ") + choice[i];
    }
    problems.push_back({.where = support::where_of(file, table.header.cells.front()),
                        .text = "expected a column " + expected + ", got none" +
                                support::did_you_mean(choice.front(), names)});
  }
  support::throw_if_any(problems);
}

/// Reads a cell into `row` unless an earlier column filled the member. Returns what was expected
/// when the text is not of the column's kind, and "" when it is.
template <typename Row>
std::string set_cell(const RowColumn<Row>& column, std::string_view text, Row& row) {
  if (text.empty()) return "";
  return std::visit(
      [&](auto member) -> std::string {
        auto& value = row.*member;
        if (value != std::remove_cvref_t<decltype(value)>{}) return "";
        if (column.zero != ZeroCell::refused && support::parsed<double>(text) == 0.0) {
          using Value = std::remove_cvref_t<decltype(value)>;
          if constexpr (std::is_same_v<Value, std::optional<double>>) {
            if (column.zero == ZeroCell::kept) value = 0.0;
          }
          return "";
        }
        return support::set_cell_value(text, value);
      },
      column.member);
}

/// Says that `cell`, of the column of that name, does not hold what was expected.
inline void refuse_cell(const std::string& file, const support::CsvCell& cell,
                        const std::string& expected, std::string_view column,
                        std::vector<support::Problem>& problems) {
  support::add_problem(problems, {support::where_of(file, cell),
                                  "expected " + expected + " in column " + std::string(column) +
                                      ", got \"" + support::shortened(cell.text) + "\""});
}

/// The rows of a table, in file order, with their line and, where they have none, the id
/// `STEM:LINE`. Columns may stand in any order and unknown ones are ignored; of two columns of one
/// member the first in the file that is not empty wins. Throws InputError, `FILE:LINE:COLUMN:
/// expected ..., got ...`, with every problem. A column has a `name` and a set_cell().
template <typename Row, typename Columns>
std::vector<Row> read_rows(const support::CsvTable& table, const Columns& columns,
                           const std::string& file) {
  using Column = std::ranges::range_value_t<Columns>;
  std::vector<std::pair<const Column*, std::size_t>> present;
  for (std::size_t at = 0; at < table.header.cells.size(); ++at) {
    const auto found = std::ranges::find(columns, table.header.cells[at].text, &Column::name);
    if (found != columns.end()) present.emplace_back(&*found, at);
  }
  const std::string stem = std::filesystem::path(file).stem().string();
  std::vector<support::Problem> problems;
  std::vector<Row> rows;
  rows.reserve(table.records.size());
  for (const support::CsvRecord& record : table.records) {
    Row& row = rows.emplace_back();
    row.line = record.line;
    for (const auto& [column, at] : present) {
      const support::CsvCell& cell = record.cells[at];
      if (const std::string expected = set_cell(*column, cell.text, row); !expected.empty()) {
        refuse_cell(file, cell, expected, column->name, problems);
      }
    }
    if (row.id.empty()) row.id = stem + ":" + std::to_string(row.line);
    if (problems.size() == support::problems_max) break;
  }
  support::throw_if_any(problems);
  return rows;
}

}  // namespace cubicbench::datasets
