#include "results/document/csv.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/csv.h"
#include "support/joined.h"
#include "support/json/canonical.h"

namespace cubicbench::results {
namespace {

std::string key_of(const Column& column) {
  if (!column.csv_key.empty()) return column.csv_key;
  std::string key = column.key;
  std::ranges::replace(key, '.', '_');
  return key;
}

struct FieldText {
  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(Cell::Absent) const { return ""; }
  std::string operator()(bool value) const { return value ? "1" : "0"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(std::uint64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const {
    return std::isfinite(value) ? support::shortest(value) : "";
  }
  std::string operator()(const std::string& text) const { return text; }
  std::string operator()(const std::vector<std::string>& list) const {
    return support::joined(list, " ");
  }
  std::string operator()(const ShareBar& bar) const { return bar.words; }
  std::string operator()(const Record& record) const { return record.words; }
};

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
      if (table.columns[i].in_csv) fields.push_back(std::visit(FieldText(), row[i].value()));
    }
    text += support::csv_record(fields);
  }
  return text;
}

}  // namespace cubicbench::results
