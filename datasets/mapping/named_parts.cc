#include "datasets/mapping/named_parts.h"

#include <algorithm>
#include <array>
#include <variant>

#include "datasets/mapping/measured_json.h"
#include "datasets/mapping/text_match.h"
#include "datasets/tables/measurement_schema.h"
#include "support/characters.h"

namespace cubicbench::datasets {
namespace {

using support::ObjectReader;
using Experts = NamedPart::Experts;

constexpr std::array<std::string_view, 3> kinds_of_experts{"any", "dense", "mixture"};

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), support::lowered);
  return out;
}

/// "lora" starts a word of "26.06; LoRA", and none of "exploration".
bool starts_a_word(std::string_view cell, std::string_view text) {
  for (std::size_t at = cell.find(text); at != std::string_view::npos;
       at = cell.find(text, at + 1)) {
    if (at == 0 || !is_alphanumeric(cell[at - 1])) return true;
  }
  return false;
}

bool holds(const PartCondition& condition, const Measurement& row) {
  const std::string cell = lower(cell_text(*find_measurement_column(condition.column), row));
  return std::ranges::any_of(condition.texts,
                             [&](const std::string& text) { return starts_a_word(cell, text); });
}

bool holds(const PartRule& rule, const Measurement& row) {
  return std::ranges::all_of(rule,
                             [&](const PartCondition& condition) { return holds(condition, row); });
}

bool holds_any(const std::vector<PartRule>& rules, const Measurement& row) {
  return std::ranges::any_of(rules, [&](const PartRule& rule) { return holds(rule, row); });
}

bool has_its_experts(const NamedPart& part, bool has_experts) {
  return part.experts == Experts::any || (part.experts == Experts::mixture) == has_experts;
}

bool is_text_column(std::string_view name) {
  const MeasurementColumn* const column = find_measurement_column(name);
  return column != nullptr && std::holds_alternative<std::string Measurement::*>(column->member);
}

PartCondition read_part_condition(ObjectReader& in, const std::string& column) {
  PartCondition condition{.column = column, .texts = {}};
  if (!is_text_column(column)) in.problem(column, "expected a column of runs that holds text");
  for (const support::ValueReader& text : in.array(column)) {
    condition.texts.push_back(lower(text.string()));
  }
  return condition;
}

std::vector<PartRule> read_part_rules(ObjectReader& in, std::string_view key) {
  std::vector<PartRule> rules;
  for (const support::ValueReader& entry : in.optional_array(key)) {
    ObjectReader rule = entry.object();
    PartRule conditions;
    for (const std::string& column : rule.keys()) {
      conditions.push_back(read_part_condition(rule, column));
    }
    rule.finish("column");
    rules.push_back(std::move(conditions));
  }
  return rules;
}

NamedPart read_part(ObjectReader& in) {
  return {.name = non_empty(in, "name"),
          .experts = static_cast<Experts>(in.one_of("experts", kinds_of_experts, 0)),
          .match = read_part_rules(in, "match"),
          .except = read_part_rules(in, "except")};
}

}  // namespace

std::vector<NamedPart> read_named_parts(std::string_view text, const std::string& file) {
  return read_measured_json(text, file, "cubicbench.parts/1", [](ObjectReader& in) {
    return read_rules(in.array("parts"), read_part);
  });
}

const std::vector<NamedPart>& named_parts() { return shipped<read_named_parts>("parts.json"); }

std::vector<std::string> parts_of(const Measurement& row, bool has_experts,
                                  const std::vector<NamedPart>& parts) {
  std::vector<std::string> names;
  for (const NamedPart& part : parts) {
    if (has_its_experts(part, has_experts) && (part.match.empty() || holds_any(part.match, row)) &&
        !holds_any(part.except, row)) {
      names.push_back(part.name);
    }
  }
  return names;
}

}  // namespace cubicbench::datasets
