#include "scenarios/space/space_specs.h"

#include <cstddef>
#include <utility>

namespace cubicbench::scenarios {

std::vector<ParameterSpec> parameter_specs(const SpaceRules& rules) {
  std::vector<ParameterSpec> specs;
  for (const Parameter& parameter : rules.parameters) {
    ParameterSpec spec{.name = std::string(parameter.setting->name),
                       .type = parameter.type,
                       .values = parameter.values,
                       .when = {}};
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

}  // namespace cubicbench::scenarios
