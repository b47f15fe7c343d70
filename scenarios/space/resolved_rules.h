#pragma once

#include <vector>

#include "scenarios/space/space_problem.h"
#include "scenarios/space/space_rules.h"
#include "scenarios/space/space_specs.h"

namespace cubicbench::scenarios {

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
