#include "search/tpe/joint_proposal.h"

#include <cstdint>
#include <numeric>
#include <utility>

#include "support/interruption.h"

namespace cubicbench::search {

using scenarios::Configuration;

JointEstimator::JointEstimator(const std::vector<KnobLevels>& levels,
                               const std::vector<std::size_t>& knobs, const TpeTrials& trials,
                               const std::vector<bool>& good, bool side, CutNormals& normals)
    : knobs_(knobs), centres_(knobs.size()) {
  for (std::size_t i = 0; i < trials.size(); ++i) {
    if (good[i] != side) continue;
    for (std::size_t k = 0; k < knobs.size(); ++k) {
      centres_[k].push_back(static_cast<std::size_t>(trials.config(i)[knobs[k]]));
    }
  }
  const std::size_t observations = centres_.front().size();
  weights_ = parzen_weights(observations);
  for (const std::size_t knob : knobs) {
    levels_.push_back(levels[knob]);
    const double width = joint_width(observations, knobs.size(), levels[knob].levels);
    kernels_.emplace_back(levels[knob], observations, width, normals);
  }
}

std::size_t JointEstimator::draw_kernel(RandomStream& random) const {
  double left = random.uniform();
  for (std::size_t kernel = 0; kernel + 1 < weights_.size(); ++kernel) {
    left -= weights_[kernel];
    if (left < 0.0) return kernel;
  }
  return weights_.size() - 1;
}

double JointEstimator::mass(std::size_t kernel, std::size_t knob, std::size_t level) const {
  const std::vector<std::size_t>& centres = centres_[knob];
  if (kernel == centres.size()) return kernels_[knob].prior(level);
  return kernels_[knob].observed(centres[kernel], level);
}

double JointEstimator::density(const Configuration& config) const {
  std::vector<double> products = weights_;
  std::vector<double> of_centre;
  for (std::size_t k = 0; k < knobs_.size(); ++k) {
    // A knob that every trial had may still be inactive in another configuration.
    if (config[knobs_[k]] == scenarios::inactive) continue;
    const auto level = static_cast<std::size_t>(config[knobs_[k]]);
    of_centre.assign(levels_[k].levels, -1.0);
    for (std::size_t i = 0; i < centres_[k].size(); ++i) {
      double& mass = of_centre[centres_[k][i]];
      if (mass < 0.0) mass = kernels_[k].observed(centres_[k][i], level);
      products[i] *= mass;
    }
    products.back() *= kernels_[k].prior(level);
  }
  return std::accumulate(products.begin(), products.end(), 0.0);
}

JointProposal::JointProposal(const scenarios::SearchSpace& space, const TpeTrials& trials,
                             CutNormals& normals)
    : space_(space), place_(space.size()), alone_(space.size()) {
  const std::vector<bool> good = trials.good();
  const std::vector<KnobLevels> levels = knob_levels(space);
  std::vector<std::size_t> joint;
  for (std::size_t knob = 0; knob < space.size(); ++knob) {
    bool in_all = levels[knob].levels > 1;
    for (std::size_t i = 0; in_all && i < trials.size(); ++i) {
      in_all = trials.config(i)[knob] != scenarios::inactive;
    }
    if (in_all) {
      place_[knob] = joint.size();
      joint.push_back(knob);
    } else {
      alone_[knob] = knob_densities(levels[knob], knob, trials, good, true, normals);
    }
  }
  if (joint.empty()) return;
  good_.emplace(levels, joint, trials, good, true, normals);
  others_.emplace(levels, joint, trials, good, false, normals);
}

Configuration JointProposal::drawn(std::size_t draws, RandomStream& random) const {
  const std::size_t kernel = good_ ? good_->draw_kernel(random) : 0;
  Configuration config(space_.size());
  walk_diagram(space_, config, [&](std::size_t parameter, const auto& allowed) {
    const std::optional<std::size_t> place = place_[parameter];
    if (!place) return best_drawn_level(alone_[parameter], draws, allowed, random);
    const auto weight = [&](std::uint32_t level) { return good_->mass(kernel, *place, level); };
    return drawn_level(space_.parameters()[parameter].values.size(), weight, allowed, random);
  });
  return config;
}

std::optional<Configuration> JointProposal::best_drawn(std::size_t draws,
                                                       const Unproposed& unproposed,
                                                       RandomStream& random) const {
  std::optional<Configuration> best;
  double highest = 0.0;
  for (std::size_t i = 0; i < draws; ++i) {
    support::end_if_interrupted();
    Configuration config = drawn(draws, random);
    if (unproposed.taken(space_.number_of(config))) continue;
    const double ratio = good_ ? good_->density(config) / others_->density(config) : 0.0;
    if (best && !(ratio > highest)) continue;
    best = std::move(config);
    highest = ratio;
  }
  return best;
}

}  // namespace cubicbench::search
