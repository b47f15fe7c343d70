#include "scenarios/space/space_tree.h"

#include <utility>

#include "scenarios/space/rules_diagram.h"

namespace cubicbench::scenarios {

SpaceDiagram diagram_in_listed_order(const SearchSpace& space) {
  BuiltDiagram listed = rules_diagram(space.rules(), LayerOrder::listed);
  // A list is in this order already, and has no constraints to say what it is.
  const bool same = !listed.problem && listed.diagram.count() == space.count();
  if (!same) return space.diagram();
  return std::move(listed.diagram);
}

SpaceTree::SpaceTree(const SearchSpace& space) : diagram_(diagram_in_listed_order(space)) {
  std::vector<bool> is_decided(space.size() + 1, false);
  std::size_t prefix = 0;
  decided_.push_back(0);
  for (std::size_t i = 0; i < space.size(); ++i) {
    is_decided[diagram_.layers[i].parameter] = true;
    while (is_decided[prefix]) ++prefix;
    decided_.push_back(prefix);
  }
}

std::uint64_t SpaceTree::count(Place place) const {
  return diagram_.layers[place.depth].nodes[place.node].count;
}

std::size_t SpaceTree::parameter(std::uint32_t depth) const {
  return diagram_.layers[depth].parameter;
}

void SpaceTree::choices(Place place, std::vector<Choice>& choices) const {
  choices.clear();
  const SpaceDiagram::Layer& layer = diagram_.layers[place.depth];
  const SpaceDiagram::Node& node = layer.nodes[place.node];
  for (std::uint32_t choice = node.first; node.has(choice); ++choice) {
    const std::uint32_t child = layer.edge(node, choice).child;
    if (child == SpaceDiagram::dead) continue;
    const Place below{.depth = place.depth + 1, .node = child};
    if (count(below) == 0) continue;
    choices.push_back({.child = below, .index = node.active ? std::int64_t{choice} : inactive});
  }
}

}  // namespace cubicbench::scenarios
