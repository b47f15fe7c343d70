#include "scenarios/space/space_dependencies.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace cubicbench::scenarios {
namespace {

bool among(const std::vector<std::size_t>& list, std::size_t item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

bool all_assigned(const std::vector<std::size_t>& list, const std::vector<bool>& assigned) {
  return std::all_of(list.begin(), list.end(), [&](std::size_t i) { return assigned[i]; });
}

/// Does a parameter that is not assigned, or a constraint that reads one, still read `parameter`?
bool needed(const SpaceDependencies& all, std::size_t parameter,
            const std::vector<bool>& assigned) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!assigned[i] && among(all.parents[i], parameter)) return true;
  }
  return std::any_of(all.scopes.begin(), all.scopes.end(),
                     [&](const std::vector<std::size_t>& scope) {
                       return among(scope, parameter) && !all_assigned(scope, assigned);
                     });
}

std::vector<std::size_t> scope_of(const Constraint& constraint, const SpaceRules& rules) {
  std::vector<std::size_t> scope;
  for (const std::size_t slot : constraint.require.slots_read()) {
    for (const std::string_view name : settings_behind(slot)) {
      const int parameter = rules.find(name);
      if (parameter < 0) continue;
      const auto index = static_cast<std::size_t>(parameter);
      if (!among(scope, index)) scope.push_back(index);
    }
  }
  return scope;
}

}  // namespace

bool SpaceDependencies::ready(std::size_t parameter, const std::vector<bool>& assigned) const {
  return all_assigned(parents[parameter], assigned);
}

std::vector<std::size_t> SpaceDependencies::completed_by(std::size_t parameter,
                                                         const std::vector<bool>& assigned) const {
  std::vector<std::size_t> completed;
  for (std::size_t c = 0; c < scopes.size(); ++c) {
    if (among(scopes[c], parameter) && all_assigned(scopes[c], assigned)) completed.push_back(c);
  }
  return completed;
}

std::vector<std::size_t> SpaceDependencies::frontier_after(const std::vector<std::size_t>& frontier,
                                                           std::size_t parameter,
                                                           std::vector<bool> assigned) const {
  assigned[parameter] = true;
  std::vector<std::size_t> after;
  for (const std::size_t i : frontier) {
    if (needed(*this, i, assigned)) after.push_back(i);
  }
  if (needed(*this, parameter, assigned)) after.push_back(parameter);
  return after;
}

SpaceDependencies dependencies_of(const SpaceRules& rules) {
  SpaceDependencies dependencies;
  for (const Parameter& parameter : rules.parameters) {
    std::vector<std::size_t> parents;
    for (const Condition& condition : parameter.when) {
      parents.push_back(static_cast<std::size_t>(condition.parameter));
    }
    dependencies.states.push_back(parameter.values.size() + (parents.empty() ? 0 : 1));
    dependencies.parents.push_back(std::move(parents));
  }
  for (const Constraint& constraint : rules.constraints) {
    dependencies.scopes.push_back(scope_of(constraint, rules));
  }
  return dependencies;
}

}  // namespace cubicbench::scenarios
