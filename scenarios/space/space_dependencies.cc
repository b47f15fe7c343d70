#include "scenarios/space/space_dependencies.h"

#include <algorithm>
#include <numeric>
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

/// 0, 1, ... size - 1.
std::vector<std::size_t> listed(std::size_t size) {
  std::vector<std::size_t> indices(size);
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  return indices;
}

/// Numbers parameters so that those joined by conditions or constraints have equal numbers.
std::vector<std::size_t> components(const SpaceDependencies& dependencies) {
  std::vector<std::size_t> component = listed(dependencies.size());
  const auto join = [&](std::size_t a, std::size_t b) {
    const std::size_t from = std::max(component[a], component[b]);
    const std::size_t to = std::min(component[a], component[b]);
    std::replace(component.begin(), component.end(), from, to);
  };
  for (std::size_t i = 0; i < dependencies.size(); ++i) {
    for (const std::size_t parent : dependencies.parents[i]) join(i, parent);
  }
  for (const std::vector<std::size_t>& scope : dependencies.scopes) {
    for (const std::size_t parameter : scope) join(scope.front(), parameter);
  }
  return component;
}

/// How many nodes the layer of this frontier can have.
double width(const SpaceDependencies& dependencies, const std::vector<std::size_t>& frontier) {
  double nodes = 1.0;
  for (const std::size_t i : frontier) nodes *= static_cast<double>(dependencies.states[i]);
  return nodes;
}

/// Of the parameters that can be next, the one that leaves the narrowest frontier; size() if none
/// of the component is left.
std::size_t narrowest(const SpaceDependencies& dependencies,
                      const std::vector<std::size_t>& component, std::size_t current,
                      const std::vector<std::size_t>& frontier, const std::vector<bool>& assigned) {
  std::size_t best = dependencies.size();
  double best_width = 0.0;
  for (std::size_t i = 0; i < dependencies.size(); ++i) {
    if (component[i] != current || assigned[i] || !dependencies.ready(i, assigned)) continue;
    const double candidate =
        width(dependencies, dependencies.frontier_after(frontier, i, assigned));
    if (best == dependencies.size() || candidate < best_width) {
      best = i;
      best_width = candidate;
    }
  }
  return best;
}

std::vector<std::size_t> narrow(const SpaceDependencies& dependencies) {
  const std::size_t size = dependencies.size();
  const std::vector<std::size_t> component = components(dependencies);
  std::vector<bool> assigned(size, false);
  std::vector<std::size_t> order;
  for (std::size_t current = 0; current < size; ++current) {
    std::vector<std::size_t> frontier;
    while (true) {
      const std::size_t next = narrowest(dependencies, component, current, frontier, assigned);
      if (next == size) break;
      frontier = dependencies.frontier_after(frontier, next, assigned);
      assigned[next] = true;
      order.push_back(next);
    }
  }
  return order;
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

std::vector<std::size_t> layer_order(const SpaceDependencies& dependencies, LayerOrder order) {
  return order == LayerOrder::listed ? listed(dependencies.size()) : narrow(dependencies);
}

}  // namespace cubicbench::scenarios
