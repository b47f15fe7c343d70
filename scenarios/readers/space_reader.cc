#include "scenarios/readers/space_reader.h"

#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "support/suggestion.h"

namespace cubicbench::scenarios {
namespace {

constexpr std::array<std::string_view, 2> scales{"linear", "log2"};

std::optional<std::int64_t> read_value(const Setting& setting, const support::ValueReader& value) {
  if (value.raw() == nullptr) return std::nullopt;
  const auto code = code_of(setting, *value.raw());
  if (!code) {
    value.problem("expected " + expected(setting) + ", got " + support::shown(*value.raw()));
  }
  return code;
}

std::vector<std::int64_t> read_values(const Setting& setting,
                                      const std::vector<support::ValueReader>& values) {
  std::vector<std::int64_t> codes;
  for (const support::ValueReader& value : values) {
    if (const auto code = read_value(setting, value)) codes.push_back(*code);
  }
  return codes;
}

bool is_integer(const Setting& setting) {
  return setting.kind == SettingKind::integer || setting.kind == SettingKind::boolean_or_integer;
}

std::vector<std::int64_t> read_integers(support::ObjectReader& in, const Setting& setting) {
  const std::int64_t min = in.integer("min", setting.min, setting.max);
  const std::int64_t max = in.integer("max", setting.min, setting.max);
  const bool log2 = in.one_of("scale", scales, std::size_t{0}) == 1;
  const std::int64_t step = log2 ? 1 : in.integer("step", 1, setting.max, 1);
  if (in.has("min") && in.has("max") && max < min) {
    in.problem("max",
               "expected at least min (" + std::to_string(min) + "), got " + std::to_string(max));
    return {min};
  }
  if (log2) return powers_of_two(min, max);
  std::vector<std::int64_t> values = stepped_values(min, max, step);
  if (!values.empty()) return values;
  in.problem("step", "expected at most " + std::to_string(parameter_values_max) +
                         " values from min to max, got steps of " + std::to_string(step));
  return {min};
}

std::string wrong_type(const Setting& setting, std::string_view type) {
  const std::string needs = type == "integer" ? "an integer setting" : "a true-or-false setting";
  return "expected " + needs + ", but \"" + std::string(setting.name) + "\" is " +
         expected(setting);
}

std::vector<std::int64_t> read_domain(support::ObjectReader& in, ParameterType type,
                                      const Setting& setting) {
  switch (type) {
    case ParameterType::categorical:
    case ParameterType::ordinal:
      return read_values(setting, in.array("values"));
    case ParameterType::integer:
      if (!is_integer(setting)) in.problem("type", wrong_type(setting, "integer"));
      return read_integers(in, setting);
    case ParameterType::boolean:
      if (setting.kind != SettingKind::boolean && setting.kind != SettingKind::boolean_or_integer) {
        in.problem("type", wrong_type(setting, "boolean"));
      }
      return {0, 1};
  }
  return {};
}

std::vector<ConditionSpec> read_conditions(support::ObjectReader& in, WorkloadKind kind) {
  std::vector<ConditionSpec> conditions;
  auto when = in.optional_object("when");
  if (!when) return conditions;
  for (const std::string& name : when->keys()) {
    const Setting* setting = find_setting(name);
    if (setting == nullptr) {
      when->problem(name, "unknown setting" + support::did_you_mean(name, setting_names(kind)));
      when->allow(name);
      continue;
    }
    conditions.push_back({name, read_values(*setting, when->array(name))});
  }
  when->finish();
  return conditions;
}

ParameterSpec read_parameter(const support::ValueReader& value, WorkloadKind kind) {
  support::ObjectReader in = value.object();
  ParameterSpec spec;
  spec.name = in.string("name");
  spec.type = static_cast<ParameterType>(in.one_of("type", parameter_type_names()));
  if (const Setting* setting = find_setting(spec.name)) {
    spec.values = read_domain(in, spec.type, *setting);
  } else {
    if (in.has("name") && !spec.name.empty()) {
      in.problem("name", "unknown setting \"" + spec.name + "\"" +
                             support::did_you_mean(spec.name, setting_names(kind)));
    }
    for (const char* key : {"values", "min", "max", "step", "scale"}) in.allow(key);
  }
  spec.when = read_conditions(in, kind);
  in.finish();
  return spec;
}

ConstraintSpec read_constraint(const support::ValueReader& value) {
  support::ObjectReader in = value.object();
  ConstraintSpec spec{in.string("name"), in.string("require")};
  in.finish();
  return spec;
}

}  // namespace

std::vector<Assignment> read_assignments(support::ObjectReader& in, WorkloadKind kind) {
  std::vector<Assignment> assignments;
  for (const std::string& name : in.keys()) {
    const Setting* setting = find_setting(name);
    const support::ValueReader value = in.value(name);
    if (setting == nullptr) {
      in.problem(name, "unknown setting" + support::did_you_mean(name, setting_names(kind)));
    } else if (!belongs(*setting, kind)) {
      in.problem(name, misplaced(*setting, kind));
    } else if (const auto code = read_value(*setting, value)) {
      assignments.push_back({setting, *code});
    }
  }
  in.finish("setting");
  return assignments;
}

SearchSpace read_space(support::ObjectReader& in, const sim::Plan& base, const SpaceFacts& facts) {
  const std::size_t before = in.problems().size();
  std::vector<ParameterSpec> parameters;
  for (const support::ValueReader& value : in.array("parameters")) {
    parameters.push_back(read_parameter(value, facts.kind));
  }
  std::vector<ConstraintSpec> constraints;
  for (const support::ValueReader& value : in.optional_array("constraints")) {
    constraints.push_back(read_constraint(value));
  }
  in.finish();
  if (in.problems().size() > before) {
    return {};  // what follows from a half-read space would only repeat its problems
  }
  BuiltSpace built = SearchSpace::build(parameters, constraints, base, facts);
  for (const SpaceProblem& problem : built.problems) {
    in.problems().push_back({in.where() + problem.pointer, problem.text});
  }
  return std::move(built.space);
}

}  // namespace cubicbench::scenarios
