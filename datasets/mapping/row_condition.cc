#include "datasets/mapping/row_condition.h"

#include <algorithm>
#include <variant>

#include "datasets/mapping/measured_json.h"
#include "datasets/measurement_schema.h"

namespace cubicbench::datasets {
namespace {

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

RowCondition read_condition(scenarios::ObjectReader in) {
  RowCondition condition;
  const std::string name = non_empty(in, "column");
  const MeasurementColumn* const column = find_measurement_column(name);
  const auto* const member =
      column == nullptr ? nullptr : std::get_if<std::string Measurement::*>(&column->member);
  if (member != nullptr) {
    condition.column = *member;
  } else if (!name.empty()) {
    in.problem("column", "expected a text column of the measurement schema, got \"" + name + "\"");
  }
  condition.contains = in.string("contains", "");
  condition.from = in.string("from", "");
  condition.before = in.string("before", "");
  if (condition.contains.empty() && condition.from.empty() && condition.before.empty()) {
    in.problem("contains", "expected one of contains, from and before, got none");
  }
  in.finish();
  return condition;
}

bool holds(const RowCondition& condition, const Measurement& row) {
  const std::string& cell = row.*condition.column;
  if (cell.empty()) return false;
  return (condition.contains.empty() || contains_text(cell, condition.contains)) &&
         (condition.from.empty() || cell >= condition.from) &&
         (condition.before.empty() || cell < condition.before);
}

}  // namespace

std::vector<RowCondition> read_conditions(scenarios::ObjectReader& in, std::string_view key) {
  std::vector<RowCondition> conditions;
  for (const scenarios::ValueReader& entry : in.array(key)) {
    conditions.push_back(read_condition(entry.object()));
  }
  return conditions;
}

bool holds(const std::vector<RowCondition>& conditions, const Measurement& row) {
  return std::ranges::all_of(conditions,
                             [&](const RowCondition& condition) { return holds(condition, row); });
}

bool contains_text(std::string_view text, std::string_view part) {
  const auto is_same = [](char a, char b) { return lower(a) == lower(b); };
  return part.empty() ||
         std::search(text.begin(), text.end(), part.begin(), part.end(), is_same) != text.end();
}

}  // namespace cubicbench::datasets
