#include "results/tables/knobs.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "results/document/number_text.h"
#include "scenarios/space/setting_words.h"
#include "support/joined.h"
#include "support/json/json_document.h"

namespace cubicbench::results {
namespace {

using scenarios::Constraint;
using scenarios::Parameter;
using scenarios::Setting;
using scenarios::SettingKind;
using Json = nlohmann::ordered_json;

std::string_view type_of(const Setting& setting) {
  switch (setting.kind) {
    case SettingKind::integer:
      return "integer";
    case SettingKind::boolean:
      return "boolean";
    case SettingKind::choice:
      return "choice";
    case SettingKind::boolean_or_integer:
      return "boolean or integer";
    case SettingKind::thousandths:
    case SettingKind::number:
      return "decimal";
  }
  return "";
}

/// A list of all values; a range stands in it as an object.
Json values_of(const Setting& setting) {
  const auto range = [&](std::int64_t min) {
    return Json{{"min", json_of(setting, min)}, {"max", json_of(setting, setting.max)}};
  };
  switch (setting.kind) {
    case SettingKind::boolean:
      return {false, true};
    case SettingKind::boolean_or_integer:
      return Json::array({false, true, range(2)});
    case SettingKind::choice: {
      Json names = Json::array();
      for (const std::string_view name : setting.choices) names.push_back(name);
      if (setting.max >= std::ssize(setting.choices)) names.push_back("every_K");
      for (const std::string_view name : setting.later_choices) names.push_back(name);
      return names;
    }
    default:
      return Json::array({range(setting.min)});
  }
}

/// As it is typed: "1 to 16,384", "none".
std::string value_text(const Json& value) {
  if (value.is_object()) return value_text(value["min"]) + " to " + value_text(value["max"]);
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// Of many values the ends: a column of a published table may have a thousand.
std::string values_text(const Json& values) {
  constexpr std::size_t listed_max = 40;
  if (values.is_array() && values.size() > listed_max) {
    return value_text(values.front()) + ", ..., " + value_text(values.back()) + " (" +
           grouped(values.size()) + " values)";
  }
  std::vector<std::string> texts;
  for (const Json& value : values) texts.push_back(value_text(value));
  return support::joined(texts, ", ");
}

/// Values of the parameter `name` of `list` that are not among `values`.
Json others_of(const Json& list, const Json& name, const Json& values) {
  Json others = Json::array();
  for (const Json& parameter : list) {
    if (parameter["name"] != name) continue;
    for (const Json& value : parameter["values"]) {
      if (std::ranges::find(values, value) == values.end()) others.push_back(value);
    }
  }
  return others;
}

/// "schedule is 1f1b; sharding is not zero1": by whichever values are fewer.
std::string conditions_text(const Json& list, const Json& conditions) {
  std::vector<std::string> texts;
  for (const Json& condition : conditions) {
    const Json others = others_of(list, condition["parameter"], condition["values"]);
    const bool by_others = !others.empty() && others.size() < condition["values"].size();
    std::vector<std::string> values;
    for (const Json& value : by_others ? others : condition["values"]) {
      values.push_back(value_text(value));
    }
    texts.push_back(value_text(condition["parameter"]) + (by_others ? " is not " : " is ") +
                    support::joined(values, " or "));
  }
  return support::joined(texts, "; ");
}

/// The value of a plan that does not state it; null where it is derived from others.
Json default_of(const Setting& setting) {
  const std::int64_t code = setting.read(sim::Plan{});
  return code < setting.min ? Json() : json_of(setting, code);
}

Json settings_list() {
  Json list = Json::array();
  for (const Setting& setting : scenarios::settings()) {
    list.push_back({{"name", setting.name},
                    {"type", type_of(setting)},
                    {"values", values_of(setting)},
                    {"default", default_of(setting)},
                    {"applies_to", name_of(setting.owner)},
                    {"meaning", scenarios::meaning_of(setting)},
                    {"source", scenarios::setting_words()[index_of(setting)].source}});
  }
  return list;
}

Json parameter_json(const scenarios::Scenario& scenario, const Parameter& parameter) {
  const Setting& setting = *parameter.setting;
  Json values = Json::array();
  for (const std::int64_t code : parameter.values) values.push_back(json_of(setting, code));
  Json when = Json::array();
  for (const scenarios::Condition& condition : parameter.when) {
    const Parameter& parent =
        scenario.space.parameters()[static_cast<std::size_t>(condition.parameter)];
    Json active = Json::array();
    for (const std::int64_t code : condition.values)
      active.push_back(json_of(*parent.setting, code));
    when.push_back({{"parameter", parent.setting->name}, {"values", active}});
  }
  // Of a table of runs the plans say nothing.
  const Json baseline =
      scenario.measured ? Json() : json_of(setting, setting.read(scenario.baseline));
  return {{"name", setting.name},
          {"type", scenarios::parameter_type_names()[static_cast<std::size_t>(parameter.type)]},
          {"values", values},
          {"when", when},
          {"baseline", baseline},
          {"meaning", scenarios::meaning_of(setting)}};
}

/// A row an entry of `list`: its name, its values, and those of the other keys.
Table table_of_list(const Json& list, std::vector<Column> columns) {
  Table table{.columns = std::move(columns)};
  for (const Json& entry : list) {
    std::vector<Cell> row;
    for (const Column& column : table.columns) {
      const Json& value = entry[column.key];
      row.emplace_back(column.key == "values" ? values_text(value)
                       : column.key == "when" ? conditions_text(list, value)
                       : value.is_null()      ? ""
                                              : value_text(value));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// "name: what it says under `key`", one an entry.
Bullets bullets_of(const Json& list, const char* key) {
  Bullets bullets;
  for (const Json& entry : list) {
    bullets.items.push_back(value_text(entry["name"]) + ": " + value_text(entry[key]));
  }
  return bullets;
}

}  // namespace

Json settings_json() {
  Json document = support::new_document("list");
  document["settings"] = settings_list();
  return document;
}

Document settings_document() {
  Document document;
  const Json list = settings_list();
  for (const scenarios::SettingOwner owner : scenarios::setting_owners) {
    Json own = Json::array();
    for (const Json& entry : list) {
      if (entry["applies_to"] == name_of(owner)) own.push_back(entry);
    }
    document.add(Heading{.text = "Settings of " + std::string(name_of(owner))});
    document.add(
        table_of_list(own, {{"name", "NAME"}, {"values", "VALUES"}, {"meaning", "MEANING"}}));
  }
  document.add(Paragraph{
      "Any of them is given as --set NAME=VALUE; a field of the problem likewise, by the name that "
      "the scenario's file has: --set cluster.gpus=1024, --set workload.sequence=16384. Which a "
      "search turns, and between which values: cubicbench list parameters SCENARIO. What others "
      "call them: cubicbench list settings --json."});
  return document;
}

Json parameters_json(const scenarios::Scenario& scenario) {
  Json document = support::new_document("list");
  document["parameters"] = Json::array();
  for (const Parameter& parameter : scenario.space.parameters()) {
    document["parameters"].push_back(parameter_json(scenario, parameter));
  }
  document["constraints"] = Json::array();
  for (const Constraint& constraint : scenario.space.constraints()) {
    document["constraints"].push_back(
        {{"name", constraint.name}, {"require", constraint.require.text()}});
  }
  return document;
}

Document parameters_document(const scenarios::Scenario& scenario) {
  const Json json = parameters_json(scenario);
  Document document;
  document.add(Paragraph{scenario.name + ": " + grouped(scenario.space.count()) +
                         " configurations of " + std::to_string(scenario.space.size()) +
                         " parameters"});
  std::vector<Column> columns{{"name", "NAME"}, {"values", "VALUES"}};
  if (!scenario.measured) columns.push_back({"baseline", "BASELINE"});
  columns.push_back({"when", "ONLY WHEN"});
  document.add(table_of_list(json["parameters"], std::move(columns)));
  document.add(Heading{.text = "What they mean"});
  document.add(bullets_of(json["parameters"], "meaning"));
  if (!json["constraints"].empty()) {
    document.add(Heading{.text = "Constraints"});
    document.add(bullets_of(json["constraints"], "require"));
  }
  return document;
}

}  // namespace cubicbench::results
