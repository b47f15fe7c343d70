#include "scenarios/space/resolved_rules.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "scenarios/space/job_gpus.h"
#include "support/input_error.h"
#include "support/json/object_reader.h"
#include "support/suggestion.h"

namespace cubicbench::scenarios {
namespace {

std::string at_parameter(std::size_t index) { return "/parameters/" + std::to_string(index); }

class Resolver {
 public:
  Resolver(const sim::Plan& base, const SpaceFacts& facts) : rules_(base, facts) {}

  ResolvedRules resolve(const std::vector<ParameterSpec>& parameters,
                        const std::vector<ConstraintSpec>& constraints) {
    for (const ParameterSpec& spec : parameters) add_parameter(spec, parameters);
    for (const ConstraintSpec& spec : constraints) add_constraint(spec);
    return {.rules = std::move(rules_), .problems = std::move(problems_)};
  }

 private:
  void report(std::string pointer, std::string text) {
    problems_.push_back({.pointer = std::move(pointer), .text = std::move(text)});
  }

  void add_parameter(const ParameterSpec& spec, const std::vector<ParameterSpec>& all) {
    const std::size_t index = rules_.parameters.size();
    Parameter parameter{.setting = spec.column ? spec.column.get() : find_setting(spec.name),
                        .type = spec.type,
                        .values = spec.values,
                        .when = {},
                        .column = spec.column};
    check_name(spec, all, index);
    if (parameter.setting != nullptr) check_values(parameter, index);
    for (const ConditionSpec& condition : spec.when) add_condition(condition, all, parameter);
    rules_.parameters.push_back(std::move(parameter));
  }

  void check_name(const ParameterSpec& spec, const std::vector<ParameterSpec>& all,
                  std::size_t index) {
    const std::string pointer = at_parameter(index) + "/name";
    const Setting* const setting = spec.column ? spec.column.get() : find_setting(spec.name);
    if (setting == nullptr) {
      report(pointer, "unknown setting " + support::in_quotes(spec.name) +
                          support::did_you_mean(spec.name, setting_names(rules_.facts.kind)));
      return;
    }
    if (!spec.column && !belongs(*setting, rules_.facts.kind)) {
      report(pointer,
             support::in_quotes(spec.name) + " is a " + misplaced(*setting, rules_.facts.kind));
      return;
    }
    for (std::size_t i = 0; i < index; ++i) {
      if (all[i].name == spec.name) {
        report(pointer,
               support::in_quotes(spec.name) + " is the name of " + at_parameter(i) + " already");
        return;
      }
    }
  }

  void check_values(const Parameter& parameter, std::size_t index) {
    const std::string pointer = at_parameter(index) + "/values";
    const Setting& setting = *parameter.setting;
    if (parameter.values.empty()) report(pointer, "expected at least one value");
    if (parameter.values.size() > static_cast<std::size_t>(parameter_values_max)) {
      report(pointer, "expected at most " + std::to_string(parameter_values_max) + " values");
      return;
    }
    for (const std::int64_t value : parameter.values) {
      if (value < setting.min || value > setting.max) {
        report(pointer, "expected " + expected(setting) + ", got " + std::to_string(value));
        return;
      }
      const bool is_gpus = &setting == find_setting("gpus");
      const std::string gpus = is_gpus ? expected_gpus(value, rules_.facts) : "";
      if (!gpus.empty()) {
        report(pointer, "expected " + gpus + ", got " + std::to_string(value));
        return;
      }
    }
    std::vector<std::int64_t> sorted = parameter.values;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) {
      report(pointer, format_setting(setting, *twice) + " is listed twice");
    }
  }

  void add_condition(const ConditionSpec& spec, const std::vector<ParameterSpec>& all,
                     Parameter& child) {
    const std::size_t index = rules_.parameters.size();
    const std::string pointer = at_parameter(index) + "/when/" + support::pointer_token(spec.name);
    const auto named = std::find_if(all.begin(), all.end(), [&](const ParameterSpec& candidate) {
      return candidate.name == spec.name;
    });
    if (named == all.end()) {
      std::vector<std::string_view> candidates;
      for (const ParameterSpec& candidate : all) candidates.push_back(candidate.name);
      report(pointer, "no parameter of this space" + support::did_you_mean(spec.name, candidates));
      return;
    }
    const auto parent = static_cast<std::size_t>(named - all.begin());
    if (parent >= index) {
      report(pointer,
             "expected a parameter that is listed before " + support::in_quotes(all[index].name));
      return;
    }
    if (rules_.parameters[parent].setting == nullptr) return;
    check_condition_values(spec, rules_.parameters[parent], pointer);
    child.when.push_back({.parameter = static_cast<int>(parent), .values = spec.values});
  }

  void check_condition_values(const ConditionSpec& spec, const Parameter& parent,
                              const std::string& pointer) {
    if (spec.values.empty()) report(pointer, "expected at least one value");
    for (const std::int64_t value : spec.values) {
      if (std::find(parent.values.begin(), parent.values.end(), value) == parent.values.end()) {
        report(pointer, format_setting(*parent.setting, value) + " is no value of " +
                            support::in_quotes(parent.setting->name));
      }
    }
  }

  void add_constraint(const ConstraintSpec& spec) {
    const std::string pointer = "/constraints/" + std::to_string(rules_.constraints.size());
    for (const Constraint& earlier : rules_.constraints) {
      if (earlier.name == spec.name) {
        report(pointer + "/name",
               support::in_quotes(spec.name) + " is the name of another constraint already");
        break;
      }
    }
    Constraint constraint{.name = spec.name, .require = {}};
    try {
      constraint.require = Expression::parse(spec.require, names_);
      check_names(constraint.require, pointer + "/require");
    } catch (const ConstraintError& error) {
      report(pointer + "/require", error.what());
    }
    rules_.constraints.push_back(std::move(constraint));
  }

  void check_names(const Expression& require, const std::string& pointer) {
    for (const std::size_t slot : require.slots_read()) {
      const std::string why = misplaced_name(slot, rules_.facts.kind);
      if (!why.empty()) report(pointer, support::in_quotes(names_[slot]) + " is a " + why);
    }
  }

  SpaceRules rules_;
  std::vector<SpaceProblem> problems_;
  std::vector<std::string_view> names_ = constraint_names();
};

}  // namespace

std::vector<ParameterSpec> parameter_specs(const SpaceRules& rules) {
  std::vector<ParameterSpec> specs;
  for (const Parameter& parameter : rules.parameters) {
    ParameterSpec spec{.name = std::string(parameter.setting->name),
                       .type = parameter.type,
                       .values = parameter.values,
                       .when = {},
                       .column = parameter.column};
    for (const Condition& condition : parameter.when) {
      const auto parent = static_cast<std::size_t>(condition.parameter);
      spec.when.push_back({.name = specs[parent].name, .values = condition.values});
    }
    specs.push_back(std::move(spec));
  }
  return specs;
}

std::vector<ConstraintSpec> constraint_specs(const SpaceRules& rules) {
  std::vector<ConstraintSpec> specs;
  for (const Constraint& constraint : rules.constraints) {
    specs.push_back({.name = constraint.name, .require = constraint.require.text()});
  }
  return specs;
}

ResolvedRules resolved_rules(const std::vector<ParameterSpec>& parameters,
                             const std::vector<ConstraintSpec>& constraints, const sim::Plan& base,
                             const SpaceFacts& facts) {
  return Resolver(base, facts).resolve(parameters, constraints);
}

}  // namespace cubicbench::scenarios
