#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/space/constraint.h"
#include "scenarios/space/constraint_slots.h"
#include "scenarios/space/parameter.h"
#include "sim/plan/plan.h"

namespace cubicbench::scenarios {

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
