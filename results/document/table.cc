#include "results/document/table.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "results/document/cell_text.h"
#include "sim/base/check.h"

namespace cubicbench::results {

namespace {

std::size_t place_of(const Table& table, std::string_view key) {
  const auto found = std::ranges::find(table.columns, key, &Column::key);
  SIM_ASSERT(found != table.columns.end(), key);
  return static_cast<std::size_t>(found - table.columns.begin());
}

/// What a cell is compared by; nothing where it is no number.
std::optional<double> number_of(const Cell& cell) {
  const auto& value = cell.value();
  if (const auto* const number = std::get_if<double>(&value)) return *number;
  if (const auto* const number = std::get_if<std::int64_t>(&value)) {
    return static_cast<double>(*number);
  }
  if (const auto* const number = std::get_if<std::uint64_t>(&value)) {
    return static_cast<double>(*number);
  }
  if (const auto* const record = std::get_if<Record>(&value)) return record->number;
  return std::nullopt;
}

}  // namespace

Column with_best(Column column, Best best) {
  column.best = best;
  return column;
}

Column not_in_csv(Column column) {
  column.in_csv = false;
  return column;
}

Column not_in_json(Column column) {
  column.in_json = false;
  return column;
}

Column for_people(Column column) { return not_in_csv(not_in_json(std::move(column))); }

std::vector<Column> data_columns(std::initializer_list<std::string_view> keys) {
  std::vector<Column> columns;
  for (const std::string_view key : keys) columns.push_back({std::string(key), ""});
  return columns;
}

void add_row(Table& table, std::initializer_list<std::pair<std::string_view, Cell>> cells) {
  table.rows.emplace_back(table.columns.size());
  for (const auto& [key, cell] : cells) table.rows.back()[place_of(table, key)] = cell;
}

Table chosen(const Table& table, std::initializer_list<std::string_view> keys) {
  Table result{.columns = {}, .rows = {}, .shown = table.shown, .apart = table.apart};
  result.rows.resize(table.rows.size());
  for (const std::string_view key : keys) {
    const std::size_t place = place_of(table, key);
    result.columns.push_back(table.columns[place]);
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      result.rows[i].push_back(table.rows[i][place]);
    }
  }
  return result;
}

void set_best(Table& table, std::initializer_list<std::string_view> keys, Best best) {
  for (const std::string_view key : keys) table.columns[place_of(table, key)].best = best;
}

std::vector<std::size_t> best_rows(const Table& table, std::size_t column) {
  const Column& of = table.columns[column];
  if (of.best == Best::none) return {};
  std::vector<std::size_t> rivals;
  std::optional<double> best;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const std::optional<double> number = number_of(table.rows[row][column]);
    if (!number || std::ranges::find(table.apart, row) != table.apart.end()) continue;
    rivals.push_back(row);
    if (!best || (of.best == Best::greatest ? *number > *best : *number < *best)) best = number;
  }
  const auto text_of = [&](std::size_t row) {
    return cell_text(table.rows[row][column], of.show, Spacing::roomy);
  };
  const auto winner = std::ranges::find_if(
      rivals, [&](std::size_t row) { return number_of(table.rows[row][column]) == best; });
  std::vector<std::size_t> rows;
  std::ranges::copy_if(rivals, std::back_inserter(rows),
                       [&](std::size_t row) { return text_of(row) == text_of(*winner); });
  return rows.size() < rivals.size() ? rows : std::vector<std::size_t>{};
}

void drop_unknown(Table& table, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    const auto place = static_cast<std::ptrdiff_t>(place_of(table, key));
    const auto known = [&](const std::vector<Cell>& row) {
      return row[static_cast<std::size_t>(place)] != Cell();
    };
    if (std::ranges::any_of(table.rows, known)) continue;
    table.columns.erase(table.columns.begin() + place);
    for (std::vector<Cell>& row : table.rows) row.erase(row.begin() + place);
  }
}

Table beside(Table left, const Table& right) {
  SIM_ASSERT(left.rows.size() == right.rows.size(), left.rows.size(), right.rows.size());
  left.columns.insert(left.columns.end(), right.columns.begin(), right.columns.end());
  for (std::size_t i = 0; i < left.rows.size(); ++i) {
    left.rows[i].insert(left.rows[i].end(), right.rows[i].begin(), right.rows[i].end());
  }
  return left;
}

std::string help_text(const Table& table) {
  std::string text;
  for (const Column& column : table.columns) {
    if (column.heading.empty() || column.help.empty()) continue;
    text += (text.empty() ? "" : "; ") + column.heading + ": " + column.help;
  }
  return text.empty() ? text : text + ".";
}

}  // namespace cubicbench::results
