#include "search/tpe/knob_proposal.h"

namespace cubicbench::search {

using scenarios::ParameterType;

std::vector<KnobLevels> knob_levels(const scenarios::SearchSpace& space) {
  std::vector<KnobLevels> knobs;
  for (const scenarios::Parameter& parameter : space.parameters()) {
    knobs.push_back({.levels = parameter.values.size(),
                     .ordered = parameter.type == ParameterType::ordinal ||
                                parameter.type == ParameterType::integer});
  }
  return knobs;
}

KnobDensities knob_densities(const KnobLevels& knob, std::size_t parameter, const TpeTrials& trials,
                             const std::vector<bool>& good, bool joint, CutNormals& normals) {
  std::vector<std::size_t> of_good;
  std::vector<std::size_t> of_others;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    const std::int64_t index = trials.config(i)[parameter];
    if (index == scenarios::inactive) continue;
    (good[i] ? of_good : of_others).push_back(static_cast<std::size_t>(index));
  }
  const auto density = [&](const std::vector<std::size_t>& observed) {
    std::optional<double> width;
    if (joint) width = joint_width(observed.size(), 1, knob.levels);
    return parzen_density(knob, observed, width, normals);
  };
  return {.good = density(of_good), .others = density(of_others)};
}

KnobProposal::KnobProposal(const scenarios::SearchSpace& space, const TpeTrials& trials,
                           CutNormals& normals)
    : space_(space) {
  const std::vector<bool> good = trials.good();
  const std::vector<KnobLevels> knobs = knob_levels(space);
  for (std::size_t i = 0; i < knobs.size(); ++i) {
    densities_.push_back(knob_densities(knobs[i], i, trials, good, false, normals));
  }
}

void KnobProposal::draw(std::size_t draws, RandomStream& random,
                        scenarios::Configuration& config) const {
  walk_diagram(space_, config, [&](std::size_t parameter, const auto& allowed) {
    return best_drawn_level(densities_[parameter], draws, allowed, random);
  });
}

}  // namespace cubicbench::search
