#include "results/document/table.h"

#include <algorithm>

#include "sim/base/check.h"

namespace cubicbench::results {

std::vector<Column> data_columns(std::initializer_list<std::string_view> keys) {
  std::vector<Column> columns;
  for (const std::string_view key : keys) columns.push_back({std::string(key), ""});
  return columns;
}

Table chosen(const Table& table, std::initializer_list<std::string_view> keys) {
  Table result{.columns = {}, .rows = {}, .shown = table.shown};
  result.rows.resize(table.rows.size());
  for (const std::string_view key : keys) {
    const auto found = std::ranges::find(table.columns, key, &Column::key);
    SIM_ASSERT(found != table.columns.end(), key);
    const auto place = static_cast<std::size_t>(found - table.columns.begin());
    result.columns.push_back(*found);
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      result.rows[i].push_back(table.rows[i][place]);
    }
  }
  return result;
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
