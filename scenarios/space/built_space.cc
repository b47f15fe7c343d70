#include "scenarios/space/built_space.h"

#include <utility>

#include "scenarios/space/rules_diagram.h"

namespace cubicbench::scenarios {

BuiltSpace built_space(ResolvedRules resolved, BuiltDiagram built) {
  if (built.problem) resolved.problems.push_back(std::move(*built.problem));
  return {.space = SearchSpace(std::move(resolved.rules), std::move(built.diagram)),
          .problems = std::move(resolved.problems)};
}

BuiltSpace SearchSpace::build(const std::vector<ParameterSpec>& parameters,
                              const std::vector<ConstraintSpec>& constraints, const sim::Plan& base,
                              const SpaceFacts& facts) {
  ResolvedRules resolved = resolved_rules(parameters, constraints, base, facts);
  BuiltDiagram built;
  if (resolved.problems.empty()) built = rules_diagram(resolved.rules, LayerOrder::narrow);
  return built_space(std::move(resolved), std::move(built));
}

}  // namespace cubicbench::scenarios
