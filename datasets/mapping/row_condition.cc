#include "datasets/mapping/row_condition.h"

#include <algorithm>
#include <variant>

#include "datasets/mapping/measured_json.h"
#include "datasets/mapping/text_match.h"
#include "datasets/tables/measurement_schema.h"

namespace cubicbench::datasets {
namespace {

/// Texts of an array, none of them empty.
std::vector<std::string> read_alternatives(support::ObjectReader& in, std::string_view key) {
  std::vector<std::string> texts;
  for (const support::ValueReader& entry : in.optional_array(key)) {
    texts.push_back(entry.string());
    if (texts.back().empty()) entry.problem("expected a text");
  }
  return texts;
}

bool asks_for_text(const RowCondition& condition) {
  return !condition.contains.empty() || !condition.any.empty() || !condition.words.empty() ||
         !condition.from.empty() || !condition.before.empty();
}

/// The column that a condition names, of which `kind` says what it holds.
template <class Member>
Member column_named(support::ObjectReader& in, const char* kind) {
  const std::string name = non_empty(in, "column");
  const MeasurementColumn* const column = find_measurement_column(name);
  const auto* const member = column == nullptr ? nullptr : std::get_if<Member>(&column->member);
  if (member != nullptr) return *member;
  if (!name.empty()) {
    in.problem("column", std::string("expected a ") + kind +
                             " column of the measurement schema, got \"" + name + "\"");
  }
  return nullptr;
}

RowCondition read_condition(support::ObjectReader& in) {
  constexpr std::int64_t count_max = 1'000'000'000;
  RowCondition condition;
  if (in.has("above")) {
    condition.count = column_named<std::optional<std::int64_t> Measurement::*>(in, "count");
    condition.above = in.integer("above", 0, count_max);
    return condition;
  }
  if (in.has("is")) {
    condition.truth = column_named<std::optional<bool> Measurement::*>(in, "yes-or-no");
    condition.is = in.boolean("is");
    return condition;
  }
  condition.column = column_named<std::string Measurement::*>(in, "text");
  condition.contains = in.string("contains", "");
  condition.any = read_alternatives(in, "any");
  condition.words = read_alternatives(in, "words");
  condition.lacks = in.string("lacks", "");
  condition.from = in.string("from", "");
  condition.before = in.string("before", "");
  if (!asks_for_text(condition) && condition.lacks.empty()) {
    in.problem("contains",
               "expected one of contains, any, words, lacks, from and before, got none");
  }
  return condition;
}

bool holds(const RowCondition& condition, const Measurement& row) {
  if (condition.count != nullptr) return (row.*condition.count).value_or(0) > condition.above;
  if (condition.truth != nullptr) return row.*condition.truth == condition.is;
  const std::string& cell = row.*condition.column;
  if (!condition.lacks.empty() && contains_any_case(cell, condition.lacks)) return false;
  if (cell.empty()) return !asks_for_text(condition);
  const auto is_in = [&](const std::string& part) { return contains_any_case(cell, part); };
  const auto is_word = [&](const std::string& word) { return contains_word(cell, word); };
  return (condition.any.empty() || std::ranges::any_of(condition.any, is_in)) &&
         (condition.words.empty() || std::ranges::any_of(condition.words, is_word)) &&
         (condition.contains.empty() || contains_any_case(cell, condition.contains)) &&
         (condition.from.empty() || cell >= condition.from) &&
         (condition.before.empty() || cell < condition.before);
}

}  // namespace

std::vector<RowCondition> read_conditions(support::ObjectReader& in, std::string_view key) {
  return read_each(in.array(key), read_condition);
}

bool holds(const std::vector<RowCondition>& conditions, const Measurement& row) {
  return std::ranges::all_of(conditions,
                             [&](const RowCondition& condition) { return holds(condition, row); });
}

}  // namespace cubicbench::datasets
