#include "datasets/problem/trial_knobs.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "datasets/tables/row_table.h"
#include "scenarios/space/column_setting.h"
#include "support/input_error.h"
#include "support/json/filled_string.h"
#include "support/magnitude.h"
#include "support/parsed.h"
#include "support/suggestion.h"

namespace cubicbench::datasets {
namespace {

using scenarios::ParameterSpec;
using scenarios::ParameterType;
using support::CsvCell;
using support::Problem;

constexpr std::array<std::string_view, 2> type_names{"categorical", "ordinal"};
constexpr std::array types{ParameterType::categorical, ParameterType::ordinal};

/// A number that a journal can hold.
std::optional<double> number_in(const CsvCell& cell) {
  const std::optional<double> number = support::parsed<double>(cell.text);
  if (!number || !support::is_of_readable_magnitude(*number)) return std::nullopt;
  return *number + 0.0;  // -0 is 0
}

template <typename Value>
std::vector<Value> distinct(std::vector<Value> values) {
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// The place of each value in `listed`, which has all of them.
template <typename Value>
std::vector<std::int64_t> places(const std::vector<Value>& values,
                                 const std::vector<Value>& listed) {
  std::vector<std::int64_t> codes;
  for (const Value& value : values) {
    codes.push_back(std::ranges::lower_bound(listed, value) - listed.begin());
  }
  return codes;
}

}  // namespace

TrialKnobs::TrialKnobs(support::ObjectReader& table) {
  const std::size_t before = table.problems().size();
  for (const support::ValueReader& value : table.array("knobs")) read_knob(value);
  if (knobs_.empty() && table.problems().size() == before) {
    table.problem("knobs", "expected at least one, got none");
  }
}

void TrialKnobs::read_knob(const support::ValueReader& in) {
  Knob knob{.column = {}, .type = {}, .pointer = in.where()};
  if (in.raw() != nullptr && in.raw()->is_object()) {
    support::ObjectReader object = in.object();
    knob.column = support::filled_string(object, "column", "a column of the table");
    knob.type = types[object.one_of("type", type_names)];
    object.finish();
  } else {
    knob.column = in.string();
  }
  const bool named = !knob.column.empty();
  if (named && std::ranges::find(knobs_, knob.column, &Knob::column) != knobs_.end()) {
    in.problem("expected each column once, got " + support::in_quotes(knob.column) + " twice");
  }
  knobs_.push_back(std::move(knob));
}

void TrialKnobs::read(const support::CsvTable& table,
                      std::span<const support::CsvRecord* const> rows, const std::string& file,
                      std::vector<Problem>& problems) {
  const std::vector<std::string> columns = names_of(table.header);
  for (const Knob& knob : knobs_) {
    const std::optional<std::size_t> column = table.column(knob.column);
    if (!column) {
      support::add_problem(
          problems,
          {knob.pointer, "expected a column of the table, got " + support::in_quotes(knob.column) +
                             support::did_you_mean(knob.column, columns)});
      continue;
    }
    Cells cells;
    for (const support::CsvRecord* const row : rows) cells.push_back(&row->cells[*column]);
    add_knob(knob, cells, file, problems);
  }
}

void TrialKnobs::add_knob(const Knob& knob, const Cells& cells, const std::string& file,
                          std::vector<Problem>& problems) {
  bool complete = true;
  for (const CsvCell* const cell : cells) {
    if (!cell->text.empty()) continue;
    complete = false;
    support::add_problem(problems,
                         {support::where_of(file, *cell), "expected a value of the knob " +
                                                              support::in_quotes(knob.column) +
                                                              ", got nothing (see /table/where)"});
  }
  if (!complete) return;
  const bool numbers =
      std::ranges::all_of(cells, [](const CsvCell* cell) { return number_in(*cell).has_value(); });
  const auto inferred = numbers ? ParameterType::ordinal : ParameterType::categorical;
  if (knob.type.value_or(inferred) == ParameterType::ordinal) {
    add_numbers(knob, cells, file, problems);
  } else {
    add_names(knob, cells);
  }
}

void TrialKnobs::add_numbers(const Knob& knob, const Cells& cells, const std::string& file,
                             std::vector<Problem>& problems) {
  std::vector<double> numbers;
  for (const CsvCell* const cell : cells) {
    if (const std::optional<double> number = number_in(*cell)) {
      numbers.push_back(*number);
    } else {
      support::add_problem(
          problems, {support::where_of(file, *cell),
                     std::string("expected a number that is 0 or of ") + support::magnitude_range +
                         ", got " + support::in_quotes(support::shortened(cell->text))});
    }
  }
  if (numbers.empty() || numbers.size() != cells.size()) return;
  std::vector<double> listed = distinct(numbers);
  codes_.push_back(places(numbers, listed));
  specs_.push_back({.name = knob.column,
                    .type = ParameterType::ordinal,
                    .values = {},
                    .when = {},
                    .column = scenarios::column_setting(knob.column, std::move(listed))});
}

void TrialKnobs::add_names(const Knob& knob, const Cells& cells) {
  std::vector<std::string> names;
  for (const CsvCell* const cell : cells) names.push_back(cell->text);
  std::vector<std::string> listed = distinct(names);
  codes_.push_back(places(names, listed));
  specs_.push_back({.name = knob.column,
                    .type = ParameterType::categorical,
                    .values = {},
                    .when = {},
                    .column = scenarios::column_setting(knob.column, std::move(listed))});
}

std::vector<std::int64_t> TrialKnobs::codes(std::size_t row) const {
  std::vector<std::int64_t> codes;
  for (const std::vector<std::int64_t>& knob : codes_) codes.push_back(knob[row]);
  return codes;
}

nlohmann::ordered_json TrialKnobs::names() const {
  nlohmann::ordered_json names = nlohmann::ordered_json::array();
  for (const ParameterSpec& spec : specs_) {
    const auto type = static_cast<std::size_t>(spec.type);
    names.push_back({spec.name, scenarios::parameter_type_names()[type]});
  }
  return names;
}

nlohmann::ordered_json TrialKnobs::values(std::size_t row) const {
  nlohmann::ordered_json values = nlohmann::ordered_json::array();
  for (std::size_t knob = 0; knob < specs_.size(); ++knob) {
    values.push_back(json_of(*specs_[knob].column, codes_[knob][row]));
  }
  return values;
}

}  // namespace cubicbench::datasets
