#include "scenarios/space/rules_diagram.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace cubicbench::scenarios {
namespace {

/// Bounds time and memory of a diagram whose paths join nowhere: here an edge may have a node of
/// its own, and is the answer of every constraint that it completes.
constexpr std::size_t edges_max = std::size_t{1} << 20;

/// What decides a layer. Its nodes stand for all assignments of earlier parameters that agree on
/// `frontier`, those of the next layer for assignments that agree on `after`.
struct LayerPlan {
  std::size_t parameter = 0;
  std::vector<std::size_t> frontier;
  std::vector<std::size_t> after;
  std::vector<std::size_t> completed;  ///< constraints that can now be decided
};

std::vector<LayerPlan> layer_plans(const SpaceDependencies& dependencies, LayerOrder order) {
  std::vector<LayerPlan> plans;
  std::vector<bool> assigned(dependencies.size(), false);
  std::vector<std::size_t> frontier;
  for (const std::size_t parameter : layer_order(dependencies, order)) {
    const std::vector<std::size_t> after =
        dependencies.frontier_after(frontier, parameter, assigned);
    assigned[parameter] = true;
    plans.push_back({.parameter = parameter,
                     .frontier = frontier,
                     .after = after,
                     .completed = dependencies.completed_by(parameter, assigned)});
    frontier = after;
  }
  return plans;
}

/// Constraints that read no parameter.
std::vector<std::size_t> fixed_constraints(const SpaceDependencies& dependencies) {
  std::vector<std::size_t> fixed;
  for (std::size_t c = 0; c < dependencies.scopes.size(); ++c) {
    if (dependencies.scopes[c].empty()) fixed.push_back(c);
  }
  return fixed;
}

bool accepted(const SpaceRules& rules, const Configuration& partial,
              const std::vector<std::size_t>& constraints) {
  if (constraints.empty()) return true;
  const ConstraintSlots slots = rules.slots_of(partial);
  return std::all_of(constraints.begin(), constraints.end(),
                     [&](std::size_t c) { return rules.constraints[c].require.evaluate(slots); });
}

/// Nodes of a layer, by the indices that the parameters of its frontier have.
using Nodes = std::map<std::vector<std::int64_t>, std::uint32_t>;

/// Edges are added to `layer` until there would be more than `most`; then false.
/// `next` becomes the nodes that they lead to.
bool add_edges(const SpaceRules& rules, const LayerPlan& plan, const Nodes& nodes, std::size_t most,
               SpaceDiagram::Layer& layer, Nodes& next) {
  Configuration partial(rules.size(), inactive);
  std::vector<std::int64_t> key(plan.after.size());
  layer.nodes.resize(nodes.size());
  for (const auto& [values, number] : nodes) {
    for (std::size_t i = 0; i < values.size(); ++i) partial[plan.frontier[i]] = values[i];
    const bool is_active = rules.active(partial, plan.parameter);
    const std::size_t choices = is_active ? rules.parameters[plan.parameter].values.size() : 1;
    if (layer.edges.size() + choices > most) return false;
    layer.nodes[number] = {.count = 0,
                           .edges_begin = static_cast<std::uint32_t>(layer.edges.size()),
                           .edges = static_cast<std::uint32_t>(choices),
                           .first = 0,
                           .active = is_active};
    for (std::size_t choice = 0; choice < choices; ++choice) {
      partial[plan.parameter] = is_active ? static_cast<std::int64_t>(choice) : inactive;
      layer.edges.push_back({.below = 0, .child = SpaceDiagram::dead});
      if (!accepted(rules, partial, plan.completed)) continue;
      for (std::size_t i = 0; i < key.size(); ++i) key[i] = partial[plan.after[i]];
      const auto fresh = static_cast<std::uint32_t>(next.size());
      layer.edges.back().child = next.try_emplace(key, fresh).first->second;
    }
  }
  return true;
}

BuiltDiagram too_large() {
  return {.diagram = {},
          .problem = SpaceProblem{
              .pointer = "/constraints",
              .text = "expected conditions and constraints that join fewer parameters: more than " +
                      std::to_string(edges_max) + " partial assignments"}};
}

}  // namespace

BuiltDiagram rules_diagram(const SpaceRules& rules, LayerOrder order) {
  const SpaceDependencies dependencies = dependencies_of(rules);
  SpaceDiagram diagram{.layers = {}};
  Nodes nodes{{{}, 0}};
  std::size_t edges_left = edges_max;
  for (const LayerPlan& plan : layer_plans(dependencies, order)) {
    SpaceDiagram::Layer layer{.parameter = plan.parameter, .nodes = {}, .edges = {}};
    Nodes next;
    if (!add_edges(rules, plan, nodes, edges_left, layer, next)) return too_large();
    edges_left -= layer.edges.size();
    diagram.layers.push_back(std::move(layer));
    nodes = std::move(next);
  }
  const Configuration nothing(rules.size(), inactive);
  diagram.layers.push_back(
      SpaceDiagram::end(accepted(rules, nothing, fixed_constraints(dependencies))));
  return counted(std::move(diagram));
}

}  // namespace cubicbench::scenarios
