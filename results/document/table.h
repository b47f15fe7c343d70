#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "results/document/cell.h"

namespace cubicbench::results {

/// How people see the numbers of a column. Texts are shown as they are; all but those of `text`
/// stand to the right.
enum class Show {
  text,
  figure,  ///< a text that is read as a number, such as "24.0 % / 60.1 %"
  plain,   ///< the shortest decimal form
  count,   ///< "16,384"
  fixed1,
  fixed2,
  fixed3,
  scaled,          ///< "4.068 M"
  percent,         ///< of a share: "41.2 %"
  signed_percent,  ///< "+3.2 %"
  duration,        ///< of seconds: "81.20 ms"
};

/// Which value of a column is the best, where its rows are rivals.
enum class Best { none, greatest, least };

/// One column, defined once for every form that its table takes.
struct Column {
  std::string key;  ///< in JSON, where dots lead into objects, and in CSV, where they become '_'
  std::string heading;  ///< for people; "" leaves it to programs
  Show show = Show::text;
  std::string unit{};     ///< behind the heading: "GB/s"
  std::string help{};     ///< one sentence on what it means, without a full stop
  std::string csv_key{};  ///< where CSV calls it otherwise than JSON does
  bool in_csv = true;
  bool in_json = true;
  Best best = Best::none;  ///< pages have it in bold
};

/// The column, whose best value that is.
Column with_best(Column column, Best best);

/// The column without one form, or without both, so that people alone see it.
Column not_in_csv(Column column);
Column not_in_json(Column column);
Column for_people(Column column);

/// Rows of as many cells as there are columns.
struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows{};
  /// People see this many rows at first; the rest is folded, or counted where nothing folds.
  std::size_t shown = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> apart{};  ///< rows that are no rivals of the others
};

/// Adds a row with these cells under their keys; the other cells are null. Requires that each key
/// has a column.
void add_row(Table& table, std::initializer_list<std::pair<std::string_view, Cell>> cells);

/// One fact about a T: its column, and how it is read off a T: a member, or what a function says. A
/// list of them defines a kind of row: its JSON object, its CSV record and its line in a table.
template <typename T>
struct Field {
  Column column;
  std::function<Cell(const T&)> of;
};

/// How a field reads a member of a member: `of_member<&Summary::oom, &OomSummary::tp>`.
template <auto... path>
constexpr auto of_member = [](const auto& item) -> Cell { return (item.*....*path); };

/// Cells of `item`, one a field.
template <typename T>
std::vector<Cell> cells_of(const T& item, std::span<const Field<T>> fields) {
  std::vector<Cell> cells;
  cells.reserve(fields.size());
  for (const Field<T>& field : fields) cells.push_back(field.of(item));
  return cells;
}

template <typename T>
std::vector<Column> columns_of(std::span<const Field<T>> fields) {
  std::vector<Column> columns;
  columns.reserve(fields.size());
  for (const Field<T>& field : fields) columns.push_back(field.column);
  return columns;
}

/// A row for each of `items`, which may be pointers to T.
template <typename T, typename Items>
Table table_of(const Items& items, std::span<const Field<T>> fields) {
  Table table{.columns = columns_of(fields)};
  for (const auto& item : items) {
    if constexpr (requires { *item; }) {
      table.rows.push_back(cells_of<T>(*item, fields));
    } else {
      table.rows.push_back(cells_of<T>(item, fields));
    }
  }
  return table;
}

/// Columns for programs alone.
std::vector<Column> data_columns(std::initializer_list<std::string_view> keys);

/// Columns of `table` with these keys, in this order. Requires that each is there.
Table chosen(const Table& table, std::initializer_list<std::string_view> keys);

/// Says of the columns with these keys which of their values is the best. Requires that each is
/// there.
void set_best(Table& table, std::initializer_list<std::string_view> keys, Best best);

/// Rows with the best value of a column, as people see it. None where the column has no best, or
/// its rivals are fewer than two, or all alike.
std::vector<std::size_t> best_rows(const Table& table, std::size_t column);

/// Drops those of these columns in which no cell is known.
void drop_unknown(Table& table, std::initializer_list<std::string_view> keys);

/// The rows of `left`, each with that of `right` behind it. Requires as many.
Table beside(Table left, const Table& right);

/// "tau: Kendall's tau-b ...; best found: ..." for the columns that people see and that have help.
std::string help_text(const Table& table);

}  // namespace cubicbench::results
