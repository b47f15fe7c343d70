#include "scenarios/space/listed_space.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>

#include "sim/base/check.h"

namespace cubicbench::scenarios {
namespace {

void require_placed(const Configuration& configuration, const std::vector<Parameter>& parameters) {
  SIM_ASSERT(configuration.size() == parameters.size(), configuration.size(), parameters.size());
  for (std::size_t i = 0; i < configuration.size(); ++i) {
    const auto values = static_cast<std::int64_t>(parameters[i].values.size());
    SIM_ASSERT(configuration[i] >= 0 && configuration[i] < values, i, configuration[i], values);
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
  using Children = std::vector<std::uint32_t>;

  /// The node of layer `depth` for `listed`, sorted configurations that agree on all before it.
  /// Those that can be completed in the same ways share one.
  std::uint32_t node_of(Listed listed, std::size_t depth) {
    if (depth == parameters_.size()) return 0;
    Children children(parameters_[depth].values.size(), SpaceDiagram::dead);
    while (!listed.empty()) {
      const std::int64_t choice = listed.front()[depth];
      const auto after = std::find_if(listed.begin(), listed.end(),
                                      [&](const Configuration& c) { return c[depth] != choice; });
      const auto same = static_cast<std::size_t>(after - listed.begin());
      children[static_cast<std::size_t>(choice)] = node_of(listed.first(same), depth + 1);
      listed = listed.subspan(same);
    }
    const auto fresh = static_cast<std::uint32_t>(known_[depth].size());
    const auto [node, is_new] = known_[depth].try_emplace(std::move(children), fresh);
    if (is_new) add_node(diagram_.layers[depth], node->first);
    return node->second;
  }

  /// Once there are too many edges, nodes are only counted.
  void add_node(SpaceDiagram::Layer& layer, const Children& children) {
    edges_ += children.size();
    if (edges_ > diagram_edges_max) return;
    layer.nodes.push_back({.count = 0,
                           .edges_begin = static_cast<std::uint32_t>(layer.edges.size()),
                           .edges = static_cast<std::uint32_t>(children.size()),
                           .active = true});
    for (const std::uint32_t child : children) layer.edges.push_back({.below = 0, .child = child});
  }

  const std::vector<Parameter>& parameters_;
  SpaceDiagram diagram_;
  std::vector<std::map<Children, std::uint32_t>> known_;  ///< nodes of each layer
  std::size_t edges_ = 0;
};

BuiltDiagram list_diagram(const std::vector<Parameter>& parameters,
                          std::vector<Configuration> configurations) {
  for (const Configuration& configuration : configurations) {
    require_placed(configuration, parameters);
  }
  std::sort(configurations.begin(), configurations.end());
  configurations.erase(std::unique(configurations.begin(), configurations.end()),
                       configurations.end());
  return ListDiagram(parameters).build(configurations);
}

}  // namespace

BuiltSpace listed_space(const std::vector<ParameterSpec>& parameters,
                        std::vector<Configuration> configurations, const sim::Plan& base,
                        const SpaceFacts& facts) {
  for (const ParameterSpec& spec : parameters) SIM_ASSERT(spec.when.empty());
  ResolvedRules resolved = resolved_rules(parameters, {}, base, facts);
  BuiltDiagram built;
  if (resolved.problems.empty()) {
    built = list_diagram(resolved.rules.parameters, std::move(configurations));
  }
  return built_space(std::move(resolved), std::move(built));
}

}  // namespace cubicbench::scenarios
