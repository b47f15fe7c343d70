#include "scenarios/space/space_diagram.h"

#include <algorithm>
#include <utility>

#include "sim/base/check.h"

namespace cubicbench::scenarios {
namespace {

/// floor(coordinate / 2^64 x count): the high word of the product, from its four half products.
std::uint64_t share_of(std::uint64_t coordinate, std::uint64_t count) {
  constexpr std::uint64_t low_half = 0xffff'ffff;
  const std::uint64_t a = coordinate >> 32;
  const std::uint64_t b = coordinate & low_half;
  const std::uint64_t c = count >> 32;
  const std::uint64_t d = count & low_half;
  const std::uint64_t middle = a * d + (b * d >> 32);
  return a * c + (middle >> 32) + (((middle & low_half) + b * c) >> 32);
}

}  // namespace

std::uint32_t SpaceDiagram::Layer::choice_of(const Node& node, std::uint64_t number) const {
  const auto begin = edges.begin() + node.edges_begin;
  // Edges without configurations share `below` with the next one, so the last is the right one.
  const auto after =
      std::upper_bound(begin, begin + node.edges, number,
                       [](std::uint64_t value, const Edge& edge) { return value < edge.below; });
  return node.first + static_cast<std::uint32_t>(after - begin - 1);
}

void SpaceDiagram::configuration_at(std::uint64_t number,
                                    std::span<std::int64_t> configuration) const {
  SIM_ASSERT(number < count(), number, count());
  SIM_ASSERT(configuration.size() == parameters(), configuration.size(), parameters());
  std::uint32_t at = 0;
  for (std::size_t i = 0; i < parameters(); ++i) {
    const Layer& layer = layers[i];
    const Node& node = layer.nodes[at];
    const std::uint32_t choice = layer.choice_of(node, number);
    const Edge& edge = layer.edge(node, choice);
    configuration[layer.parameter] = node.active ? std::int64_t{choice} : inactive;
    number -= edge.below;
    at = edge.child;
  }
}

void SpaceDiagram::configuration_along(std::span<const std::uint64_t> coordinates,
                                       std::span<std::int64_t> configuration) const {
  SIM_ASSERT(count() > 0, count());
  SIM_ASSERT(coordinates.size() == parameters(), coordinates.size(), parameters());
  SIM_ASSERT(configuration.size() == parameters(), configuration.size(), parameters());
  std::uint32_t at = 0;
  for (std::size_t i = 0; i < parameters(); ++i) {
    const Layer& layer = layers[i];
    const Node& node = layer.nodes[at];
    const std::uint64_t number = share_of(coordinates[layer.parameter], node.count);
    const std::uint32_t choice = layer.choice_of(node, number);
    configuration[layer.parameter] = node.active ? std::int64_t{choice} : inactive;
    at = layer.edge(node, choice).child;
  }
}

std::optional<std::uint64_t> SpaceDiagram::number_of(
    std::span<const std::int64_t> configuration) const {
  // A node's configurations through one edge are the child's, so the offsets along the path add up.
  std::uint64_t number = 0;
  std::uint32_t at = 0;
  for (std::size_t i = 0; i < parameters(); ++i) {
    const Layer& layer = layers[i];
    const Node& node = layer.nodes[at];
    const std::int64_t index = configuration[layer.parameter];
    if (node.active != (index >= 0)) return std::nullopt;
    const std::int64_t choice = node.active ? index : 0;
    if (!node.has(choice)) return std::nullopt;
    const Edge& edge = layer.edge(node, static_cast<std::uint32_t>(choice));
    if (edge.child == dead) return std::nullopt;
    number += edge.below;
    at = edge.child;
  }
  if (layers.back().nodes[at].count == 0) return std::nullopt;
  return number;
}

bool SpaceDiagram::count_backwards() {
  for (std::size_t i = parameters(); i-- > 0;) {
    Layer& layer = layers[i];
    const std::vector<Node>& next = layers[i + 1].nodes;
    for (Node& node : layer.nodes) {
      node.count = 0;
      for (std::uint32_t k = 0; k < node.edges; ++k) {
        Edge& edge = layer.edges[node.edges_begin + k];
        edge.below = node.count;
        if (edge.child == dead) continue;
        if (__builtin_add_overflow(node.count, next[edge.child].count, &node.count)) return false;
      }
    }
  }
  return true;
}

BuiltDiagram counted(SpaceDiagram diagram) {
  if (!diagram.count_backwards()) {
    return {.diagram = {},
            .problem = SpaceProblem{.pointer = "/parameters",
                                    .text = "expected fewer than 2^64 configurations"}};
  }
  return {.diagram = std::move(diagram), .problem = {}};
}

}  // namespace cubicbench::scenarios
