#include "scenarios/space/space_rules.h"

#include <algorithm>

namespace cubicbench::scenarios {
namespace {

bool holds(const Condition& condition, std::span<const Parameter> parameters,
           std::span<const std::int64_t> configuration) {
  const auto parent = static_cast<std::size_t>(condition.parameter);
  const std::int64_t index = configuration[parent];
  if (index < 0) return false;
  const std::int64_t value = parameters[parent].values[static_cast<std::size_t>(index)];
  return std::find(condition.values.begin(), condition.values.end(), value) !=
         condition.values.end();
}

}  // namespace

int SpaceRules::find(std::string_view name) const {
  for (std::size_t i = 0; i < size(); ++i) {
    if (parameters[i].setting->name == name) return static_cast<int>(i);
  }
  return -1;
}

bool SpaceRules::active(std::span<const std::int64_t> configuration, std::size_t parameter) const {
  for (const Condition& condition : parameters[parameter].when) {
    if (!holds(condition, parameters, configuration)) return false;
  }
  return true;
}

ConstraintSlots SpaceRules::slots_of(std::span<const std::int64_t> configuration) const {
  ConstraintSlots slots = base_slots;
  for (std::size_t i = 0; i < size(); ++i) {
    if (configuration[i] < 0) continue;
    const Parameter& parameter = parameters[i];
    slots[index_of(*parameter.setting)] =
        parameter.values[static_cast<std::size_t>(configuration[i])];
  }
  derive_data_parallel(slots);
  return slots;
}

}  // namespace cubicbench::scenarios
