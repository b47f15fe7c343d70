#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cubicbench::scenarios {

/// What is wrong with a space, or with an assignment. `pointer` is a JSON pointer relative to what
/// was read ("" for all of it).
struct SpaceProblem {
  std::string pointer;
  std::string text;

  bool operator==(const SpaceProblem&) const = default;
};

/// A point of a search space: for each parameter the index of its value, or `inactive`.
using Configuration = std::vector<std::int64_t>;
inline constexpr std::int64_t inactive = -1;

/// The decision diagram of a space, by which its configurations are numbered 0 .. count() - 1.
/// Layer i decides one parameter; its nodes stand for assignments of the parameters of earlier
/// layers that can no longer be told apart. Node 0 of the first layer is the root. The last layer
/// is the end, with one node that counts 1, or 0 where nothing leads to a configuration.
///
/// Members allocate nothing. They require `configuration` and `coordinates` to have an entry for
/// each parameter.
struct SpaceDiagram {
  static constexpr std::uint32_t dead = 0xffff'ffff;  ///< as a child: a constraint rejects it

  struct Node {
    std::uint64_t count = 0;  ///< configurations of the layers from here on
    std::uint32_t edges_begin = 0;
    /// Consecutive values of the layer's parameter, one edge each, beginning with `first`; the
    /// values outside lead to no configuration. One edge if the parameter is inactive.
    std::uint32_t edges = 0;
    std::uint32_t first = 0;
    bool active = true;

    /// Has it an edge for this value?
    bool has(std::int64_t choice) const {
      return choice >= std::int64_t{first} && choice < std::int64_t{first} + edges;
    }
  };
  struct Edge {
    std::uint64_t below = 0;  ///< configurations through earlier edges of the same node
    std::uint32_t child = 0;  ///< node of the next layer, or `dead`
  };
  struct Layer {
    std::size_t parameter = 0;
    std::vector<Node> nodes;
    std::vector<Edge> edges;

    /// Requires node.has(choice).
    const Edge& edge(const Node& node, std::uint32_t choice) const {
      return edges[node.edges_begin + (choice - node.first)];
    }
    /// The choice that leads to the configuration `number` of `node`. Requires number < node.count.
    std::uint32_t choice_of(const Node& node, std::uint64_t number) const;
  };

  /// The last layer.
  static Layer end(bool any) { return {.parameter = 0, .nodes = {{.count = any}}, .edges = {}}; }

  std::vector<Layer> layers{end(true)};  ///< by default those of no parameter

  std::size_t parameters() const { return layers.size() - 1; }
  std::uint64_t count() const { return layers.front().nodes.front().count; }

  /// Writes configuration `number`. Requires number < count().
  void configuration_at(std::uint64_t number, std::span<std::int64_t> configuration) const;

  /// Writes the configuration of a point of the unit cube: SearchSpace::configuration_along().
  void configuration_along(std::span<const std::uint64_t> coordinates,
                           std::span<std::int64_t> configuration) const;

  /// The number of a configuration; nothing where it is none of these.
  std::optional<std::uint64_t> number_of(std::span<const std::int64_t> configuration) const;

  /// Fills in what nodes count and edges have below them, from the end to the root. False, and the
  /// diagram is not to be used, if there are 2^64 configurations or more.
  [[nodiscard]] bool count_backwards();
};

/// Bounds time and memory of a diagram whose paths join nowhere.
inline constexpr std::size_t diagram_edges_max = std::size_t{1} << 22;

/// A diagram, or why there is none; then it is that of no parameter.
struct BuiltDiagram {
  SpaceDiagram diagram;
  std::optional<SpaceProblem> problem;
};

/// The diagram with its counts filled in.
BuiltDiagram counted(SpaceDiagram diagram);

}  // namespace cubicbench::scenarios
