#include "scenarios/space/layer_order.h"

#include <algorithm>
#include <numeric>

namespace cubicbench::scenarios {
namespace {

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

std::vector<std::size_t> layer_order(const SpaceDependencies& dependencies, LayerOrder order) {
  return order == LayerOrder::listed ? listed(dependencies.size()) : narrow(dependencies);
}

}  // namespace cubicbench::scenarios
