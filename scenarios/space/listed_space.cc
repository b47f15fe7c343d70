#include "scenarios/space/listed_space.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include "scenarios/space/rules_diagram.h"
#include "sim/base/check.h"

namespace cubicbench::scenarios {
namespace {

void require_placed(const Configuration& configuration, const SpaceRules& rules) {
  SIM_ASSERT(configuration.size() == rules.size(), configuration.size(), rules.size());
  for (std::size_t i = 0; i < configuration.size(); ++i) {
    const auto values = static_cast<std::int64_t>(rules.parameters[i].values.size());
    const bool active = configuration[i] != inactive;
    SIM_ASSERT(active == rules.active(configuration, i), i, configuration[i]);
    SIM_ASSERT(!active || (configuration[i] >= 0 && configuration[i] < values), i, values);
  }
}

/// The diagram of a list, from the end to the root.
class ListDiagram {
 public:
  explicit ListDiagram(const std::vector<Parameter>& parameters)
      : parameters_(parameters), known_(parameters.size()) {}

  /// Requires sorted configurations, each once.
  BuiltDiagram build(const std::vector<Configuration>& configurations) {
    diagram_.layers.assign(parameters_.size(), {});
    for (std::size_t i = 0; i < parameters_.size(); ++i) diagram_.layers[i].parameter = i;
    diagram_.layers.push_back(SpaceDiagram::end(!configurations.empty()));
    node_of(configurations, 0);
    if (edges_ > diagram_edges_max) {
      return {.diagram = {},
              .problem = SpaceProblem{.pointer = "",
                                      .text = "expected fewer configurations, or fewer values"}};
    }
    return counted(std::move(diagram_));
  }

 private:
  using Listed = std::span<const Configuration>;
  /// Whether the parameter is active, and the nodes that its values lead to, from the first value
  /// to the last that are listed.
  struct Children {
    bool active = true;
    std::uint32_t first = 0;
    std::vector<std::uint32_t> nodes;

    bool operator<(const Children& other) const {
      return std::tie(active, first, nodes) < std::tie(other.active, other.first, other.nodes);
    }
  };

  /// The node of layer `depth` for `listed`, sorted configurations that agree on all before it.
  /// Those that can be completed in the same ways share one.
  std::uint32_t node_of(Listed listed, std::size_t depth) {
    if (depth == parameters_.size()) return 0;
    Children children = children_of(listed, depth);
    const auto fresh = static_cast<std::uint32_t>(known_[depth].size());
    const auto [node, is_new] = known_[depth].try_emplace(std::move(children), fresh);
    if (is_new) add_node(diagram_.layers[depth], node->first);
    return node->second;
  }

  /// Conditions read earlier parameters only, so that one of them inactive means all.
  Children children_of(Listed listed, std::size_t depth) {
    if (!listed.empty() && listed.front()[depth] == inactive) {
      return {.active = false, .first = 0, .nodes = {node_of(listed, depth + 1)}};
    }
    Children children{.active = true, .first = 0, .nodes = {}};
    if (listed.empty()) return children;
    const std::int64_t first = listed.front()[depth];
    const auto values = static_cast<std::size_t>(listed.back()[depth] - first) + 1;
    children.first = static_cast<std::uint32_t>(first);
    children.nodes.assign(values, SpaceDiagram::dead);
    while (!listed.empty()) {
      const std::int64_t choice = listed.front()[depth];
      const auto after = std::find_if(listed.begin(), listed.end(),
                                      [&](const Configuration& c) { return c[depth] != choice; });
      const auto same = static_cast<std::size_t>(after - listed.begin());
      children.nodes[static_cast<std::size_t>(choice - first)] =
          node_of(listed.first(same), depth + 1);
      listed = listed.subspan(same);
    }
    return children;
  }

  /// Once there are too many edges, nodes are only counted.
  void add_node(SpaceDiagram::Layer& layer, const Children& node) {
    edges_ += node.nodes.size();
    if (edges_ > diagram_edges_max) return;
    layer.nodes.push_back({.count = 0,
                           .edges_begin = static_cast<std::uint32_t>(layer.edges.size()),
                           .edges = static_cast<std::uint32_t>(node.nodes.size()),
                           .first = node.first,
                           .active = node.active});
    for (const std::uint32_t child : node.nodes)
      layer.edges.push_back({.below = 0, .child = child});
  }

  const std::vector<Parameter>& parameters_;
  SpaceDiagram diagram_;
  std::vector<std::map<Children, std::uint32_t>> known_;  ///< nodes of each layer
  std::size_t edges_ = 0;
};

BuiltDiagram list_diagram(const SpaceRules& rules, std::vector<Configuration> configurations) {
  for (const Configuration& configuration : configurations) require_placed(configuration, rules);
  std::sort(configurations.begin(), configurations.end());
  configurations.erase(std::unique(configurations.begin(), configurations.end()),
                       configurations.end());
  return ListDiagram(rules.parameters).build(configurations);
}

}  // namespace

BuiltSpace listed_space(const std::vector<ParameterSpec>& parameters,
                        std::vector<Configuration> configurations, const sim::Plan& base,
                        const SpaceFacts& facts) {
  ResolvedRules resolved = resolved_rules(parameters, {}, base, facts);
  BuiltDiagram built;
  if (resolved.problems.empty()) {
    built = list_diagram(resolved.rules, std::move(configurations));
  }
  return built_space(std::move(resolved), std::move(built));
}

bool is_listed(const SearchSpace& space) {
  if (!space.constraints().empty()) return false;
  const BuiltDiagram all = rules_diagram(space.rules(), LayerOrder::listed);
  return all.problem || space.count() < all.diagram.count();
}

}  // namespace cubicbench::scenarios
