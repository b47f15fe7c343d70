#pragma once

#include <cstdint>

#include "scenarios/space/search_space.h"

namespace cubicbench::search {

/// Writes a configuration of the space, one parameter after the other in the order of its diagram:
/// of an active one `choose(parameter, allowed)` says the index of the value, `allowed(index)`
/// whether any configuration has that value and those chosen before. At least one is allowed, and
/// one of them must be chosen. So conditions and constraints hold without a redraw.
template <typename Choose>
void walk_diagram(const scenarios::SearchSpace& space, scenarios::Configuration& configuration,
                  Choose choose) {
  using scenarios::SpaceDiagram;
  const SpaceDiagram& diagram = space.diagram();
  std::uint32_t at = 0;
  for (std::size_t i = 0; i < diagram.parameters(); ++i) {
    const SpaceDiagram::Layer& layer = diagram.layers[i];
    const SpaceDiagram::Node& node = layer.nodes[at];
    const auto allowed = [&](std::uint32_t index) {
      if (!node.has(index)) return false;
      const SpaceDiagram::Edge& edge = layer.edge(node, index);
      return edge.child != SpaceDiagram::dead && diagram.layers[i + 1].nodes[edge.child].count > 0;
    };
    const std::uint32_t index = node.active ? choose(layer.parameter, allowed) : 0;
    configuration[layer.parameter] =
        node.active ? static_cast<std::int64_t>(index) : scenarios::inactive;
    at = layer.edge(node, index).child;
  }
}

}  // namespace cubicbench::search
