#include "datasets/problem/table_filter.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "datasets/tables/row_table.h"
#include "support/json/canonical.h"
#include "support/parsed.h"
#include "support/suggestion.h"

namespace cubicbench::datasets {
TableFilter::TableFilter(support::ObjectReader& in, const support::CsvTable& table) {
  const std::vector<std::string> columns = names_of(table.header);
  for (const std::string& key : in.keys()) {
    const support::ValueReader value = in.value(key);
    Condition condition;
    if (value.raw() == nullptr) {
      in.problem(key, "expected a value, or a list of them, got null");
    } else if (value.raw()->is_array()) {
      for (const support::ValueReader& one : value.array()) read_value(one, condition.values);
    } else {
      read_value(value, condition.values);
    }
    if (const std::optional<std::size_t> column = table.column(key)) {
      condition.column = *column;
    } else {
      in.problem(key, "expected a column of the table, got another name" +
                          support::did_you_mean(key, columns));
    }
    conditions_.push_back(std::move(condition));
  }
}

void TableFilter::read_value(const support::ValueReader& in, std::vector<Value>& values) {
  if (in.raw() == nullptr) return;
  const nlohmann::ordered_json& value = *in.raw();
  if (value.is_string()) {
    values.push_back({.text = value.get<std::string>()});
  } else if (value.is_boolean()) {
    values.push_back({.text = value.get<bool>() ? "1" : "0", .number = true});
  } else if (value.is_number()) {
    values.push_back({.text = support::shortest(value.get<double>()), .number = true});
  } else {
    in.problem("expected a text, a number, true or false, got " + support::shown(value));
  }
}

bool TableFilter::equals(const Value& value, const std::string& cell) {
  return value.text == cell ||
         (value.number && support::parsed<double>(value.text) == support::parsed<double>(cell));
}

bool TableFilter::admits(const support::CsvRecord& record) const {
  return std::ranges::all_of(conditions_, [&](const Condition& condition) {
    const std::string& cell = record.cells[condition.column].text;
    return std::ranges::any_of(condition.values,
                               [&](const Value& value) { return equals(value, cell); });
  });
}

}  // namespace cubicbench::datasets
