#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/space/constraint.h"
#include "scenarios/space/constraint_slots.h"
#include "scenarios/space/setting.h"
#include "sim/plan/plan.h"

namespace cubicbench::scenarios {

enum class ParameterType { categorical, ordinal, integer, boolean };

/// "categorical", "ordinal", "integer", "boolean": the JSON names, in the order of the enum.
std::span<const std::string_view> parameter_type_names();

/// Holds when the earlier parameter is active and has one of `values` (codes).
struct Condition {
  int parameter = 0;
  std::vector<std::int64_t> values;

  bool operator==(const Condition&) const = default;
};

/// One dimension of a search space: a setting and the codes it may take.
struct Parameter {
  const Setting* setting = nullptr;
  ParameterType type = ParameterType::categorical;
  std::vector<std::int64_t>
      values;                   ///< all legal codes in the order of the scenario, no duplicates
  std::vector<Condition> when;  ///< active only if all hold
  /// Keeps `setting` alive where it is a column of a table.
  std::shared_ptr<const Setting> column{};

  bool operator==(const Parameter&) const = default;
};

/// A parameter may list at most this many values.
inline constexpr std::int64_t parameter_values_max = 65'536;

/// min, min + step, ... up to max. Empty when there is none, when step < 1, or when there are more
/// than `parameter_values_max`.
std::vector<std::int64_t> stepped_values(std::int64_t min, std::int64_t max, std::int64_t step);

/// The powers of two in [min, max]; empty when there is none.
std::vector<std::int64_t> powers_of_two(std::int64_t min, std::int64_t max);

struct Constraint {
  std::string name;
  Expression require;
};

/// What decides which configurations a space has: parameters, constraints, and what constraints
/// read beside the parameters. All names are resolved.
struct SpaceRules {
  /// No parameter and no constraint.
  SpaceRules() : SpaceRules(sim::Plan{}, SpaceFacts{}) {}
  SpaceRules(const sim::Plan& base_plan, const SpaceFacts& problem_facts)
      : base(base_plan),
        facts(problem_facts),
        base_slots(constraint_slots(base_plan, problem_facts)) {}

  std::vector<Parameter> parameters;
  std::vector<Constraint> constraints;
  sim::Plan base;
  SpaceFacts facts;
  ConstraintSlots base_slots;  ///< of `base` and `facts`, which are not to be changed later

  std::size_t size() const { return parameters.size(); }

  /// Index of the parameter of that setting name, or -1.
  int find(std::string_view name) const;

  /// Do the conditions of `parameter` hold? Reads only entries of its parents.
  bool active(std::span<const std::int64_t> configuration, std::size_t parameter) const;

  /// What constraints read in a configuration. Allocates nothing.
  ConstraintSlots slots_of(std::span<const std::int64_t> configuration) const;
};

}  // namespace cubicbench::scenarios
