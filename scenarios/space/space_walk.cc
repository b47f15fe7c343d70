#include "scenarios/space/space_walk.h"

#include <algorithm>

#include "sim/base/check.h"

namespace cubicbench::scenarios {

SpaceWalk::SpaceWalk(const SpaceDiagram& diagram, std::uint64_t number)
    : diagram_(&diagram),
      configuration_(diagram.parameters()),
      number_(number),
      nodes_(diagram.parameters() + 1, 0),
      choices_(diagram.parameters(), 0) {
  SIM_ASSERT(number < diagram.count(), number, diagram.count());
  std::uint64_t rest = number;
  for (std::size_t i = 0; i < configuration_.size(); ++i) {
    const SpaceDiagram::Layer& layer = diagram.layers[i];
    const SpaceDiagram::Node& node = layer.nodes[nodes_[i]];
    const std::uint32_t choice = layer.choice_of(node, rest);
    rest -= layer.edge(node, choice).below;
    const bool found = choose(i, choice);
    SIM_ASSERT(found, i, number);
  }
}

bool SpaceWalk::advance() {
  for (std::size_t i = configuration_.size(); i-- > 0;) {
    if (choose(i, choices_[i] + 1)) {
      descend(i + 1);
      ++number_;
      return true;
    }
  }
  return false;
}

void SpaceWalk::descend(std::size_t layer) {
  for (; layer < configuration_.size(); ++layer) {
    const bool found = choose(layer, 0);
    SIM_ASSERT(found, layer);  // choose() never enters a node without configurations
  }
}

bool SpaceWalk::choose(std::size_t layer, std::uint32_t choice) {
  const SpaceDiagram::Layer& at = diagram_->layers[layer];
  const SpaceDiagram::Node& node = at.nodes[nodes_[layer]];
  const std::vector<SpaceDiagram::Node>& next = diagram_->layers[layer + 1].nodes;
  for (choice = std::max(choice, node.first); node.has(choice); ++choice) {
    const std::uint32_t child = at.edge(node, choice).child;
    if (child == SpaceDiagram::dead || next[child].count == 0) continue;
    choices_[layer] = choice;
    nodes_[layer + 1] = child;
    configuration_[at.parameter] = node.active ? std::int64_t{choice} : inactive;
    return true;
  }
  return false;
}

ChangingPlan::ChangingPlan(const SearchSpace& space)
    : space_(space), configuration_(space.size(), inactive), plan_(space.base()) {}

const sim::Plan& ChangingPlan::of(std::span<const std::int64_t> configuration) {
  SIM_ASSERT(configuration.size() == space_.size(), configuration.size(), space_.size());
  for (std::size_t i = 0; i < configuration.size(); ++i) {
    const std::int64_t index = configuration[i];
    if (index == configuration_[i]) continue;
    const Parameter& parameter = space_.parameters()[i];
    const Setting& setting = *parameter.setting;
    configuration_[i] = index;
    if (is_column(setting)) continue;
    setting.apply(plan_, index == inactive ? setting.read(space_.base())
                                           : parameter.values[static_cast<std::size_t>(index)]);
  }
  return plan_;
}

}  // namespace cubicbench::scenarios
