#include "scenarios/space/space_rules.h"

#include <algorithm>
#include <array>

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

std::span<const std::string_view> parameter_type_names() {
  static constexpr std::array<std::string_view, 4> names{"categorical", "ordinal", "integer",
                                                         "boolean"};
  return names;
}

std::vector<std::int64_t> stepped_values(std::int64_t min, std::int64_t max, std::int64_t step) {
  std::vector<std::int64_t> values;
  if (step < 1 || min > max) return values;
  // Unsigned throughout, as the distance of two 64-bit integers may not fit a signed one.
  const std::uint64_t distance = static_cast<std::uint64_t>(max) - static_cast<std::uint64_t>(min);
  const std::uint64_t steps = distance / static_cast<std::uint64_t>(step);
  if (steps >= static_cast<std::uint64_t>(parameter_values_max)) return values;
  values.reserve(static_cast<std::size_t>(steps) + 1);
  for (std::uint64_t i = 0; i <= steps; ++i) {
    values.push_back(static_cast<std::int64_t>(static_cast<std::uint64_t>(min) +
                                               i * static_cast<std::uint64_t>(step)));
  }
  return values;
}

std::vector<std::int64_t> powers_of_two(std::int64_t min, std::int64_t max) {
  std::vector<std::int64_t> values;
  for (int exponent = 0; exponent < 63; ++exponent) {
    const std::int64_t power = std::int64_t{1} << exponent;
    if (power >= min && power <= max) values.push_back(power);
  }
  return values;
}

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
    if (is_column(*parameter.setting)) continue;
    slots[index_of(*parameter.setting)] =
        parameter.values[static_cast<std::size_t>(configuration[i])];
  }
  derive_counts(slots);
  return slots;
}

}  // namespace cubicbench::scenarios
