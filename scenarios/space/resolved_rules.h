#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "scenarios/space/space_diagram.h"
#include "scenarios/space/space_rules.h"

namespace cubicbench::scenarios {

/// What a reader found, names not yet resolved. An unknown name may come with empty values.
struct ConditionSpec {
  std::string name;
  std::vector<std::int64_t> values;  ///< codes
};
struct ParameterSpec {
  std::string name;
  ParameterType type = ParameterType::categorical;
  std::vector<std::int64_t> values;  ///< codes
  std::vector<ConditionSpec> when;
  std::shared_ptr<const Setting> column{};  ///< what the name stands for, if it is no setting
};
struct ConstraintSpec {
  std::string name;
  std::string require;
};

/// The way back: what a space could be built from anew, with other names or another order. That a
/// space is a list is not in its rules: all that its parameters allow comes out of these.
std::vector<ParameterSpec> parameter_specs(const SpaceRules& rules);
std::vector<ConstraintSpec> constraint_specs(const SpaceRules& rules);

/// The rules may be used only if there is no problem.
struct ResolvedRules {
  SpaceRules rules;
  std::vector<SpaceProblem> problems;  ///< pointers are relative to the scenario's "space"
};

/// Finds what names stand for, and checks values, conditions and constraints: every problem, in
/// the order of the specs.
ResolvedRules resolved_rules(const std::vector<ParameterSpec>& parameters,
                             const std::vector<ConstraintSpec>& constraints, const sim::Plan& base,
                             const SpaceFacts& facts);

}  // namespace cubicbench::scenarios
