#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "scenarios/search_space.h"

namespace cubicbench::scenarios {

/// The decision diagram of a space, for those who go through all of it. Layer i decides one
/// parameter; its nodes stand for assignments of the parameters of earlier layers that can no
/// longer be told apart. The last layer is the end, with one node that counts 1.
struct SpaceDiagram {
  static constexpr std::uint32_t dead = 0xffff'ffff;  ///< as a child: a constraint rejects it

  struct Node {
    std::uint64_t count = 0;  ///< configurations of the layers from here on
    std::uint32_t edges_begin = 0;
    std::uint32_t edges = 0;  ///< one a value of the layer's parameter; one if it is inactive
    bool active = true;
  };
  struct Edge {
    std::uint64_t below = 0;  ///< configurations through earlier edges of the same node
    std::uint32_t child = 0;  ///< node of the next layer, or `dead`
  };
  struct Layer {
    std::size_t parameter = 0;
    std::vector<Node> nodes;
    std::vector<Edge> edges;

    const Edge& edge(const Node& node, std::uint32_t choice) const {
      return edges[node.edges_begin + choice];
    }
  };

  std::vector<Layer> layers;

  std::size_t parameters() const { return layers.size() - 1; }
  std::uint64_t count() const { return layers.front().nodes.front().count; }
};

/// That by which configurations are numbered: node 0 of the first layer is the root.
SpaceDiagram diagram_of(const SearchSpace& space);

/// One of the same configurations that decides parameters in the order of the list; where it would
/// be too large, the first again.
SpaceDiagram diagram_in_listed_order(const SearchSpace& space);

}  // namespace cubicbench::scenarios
