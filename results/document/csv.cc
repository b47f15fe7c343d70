#include "results/document/csv.h"

#include <algorithm>
#include <vector>

#include "results/document/cell_text.h"
#include "support/csv.h"

namespace cubicbench::results {
namespace {

std::string key_of(const Column& column) {
  if (!column.csv_key.empty()) return column.csv_key;
  std::string key = column.key;
  std::ranges::replace(key, '.', '_');
  return key;
}

}  // namespace

std::string csv_of(const Table& table) {
  std::vector<std::string> fields;
  for (const Column& column : table.columns) {
    if (column.in_csv) fields.push_back(key_of(column));
  }
  std::string text = support::csv_record(fields);
  for (const std::vector<Cell>& row : table.rows) {
    fields.clear();
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (table.columns[i].in_csv) fields.push_back(cell_text(row[i], Show::plain, Spacing::csv));
    }
    text += support::csv_record(fields);
  }
  return text;
}

}  // namespace cubicbench::results
