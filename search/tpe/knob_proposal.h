#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "search/searchers/diagram_walk.h"
#include "search/searchers/random_stream.h"
#include "search/tpe/parzen.h"
#include "search/tpe/tpe_trials.h"

namespace cubicbench::search {

/// The knobs of a space as estimators see them.
std::vector<KnobLevels> knob_levels(const scenarios::SearchSpace& space);

/// What is likely of one knob among good trials, and among the others; only trials in which it was
/// active say anything.
struct KnobDensities {
  std::vector<double> good;
  std::vector<double> others;
};

/// `joint`: with the widths of a joint estimator of this one knob, else with those of neighbours.
KnobDensities knob_densities(const KnobLevels& knob, std::size_t parameter, const TpeTrials& trials,
                             const std::vector<bool>& good, bool joint, CutNormals& normals);

/// A level in proportion to its weight among those allowed. Requires a weight above 0 of one.
template <typename Weight, typename Allowed>
std::uint32_t drawn_level(std::size_t levels, const Weight& weight, const Allowed& allowed,
                          RandomStream& random) {
  double sum = 0.0;
  std::uint32_t last = 0;
  for (std::uint32_t level = 0; level < levels; ++level) {
    if (!allowed(level)) continue;
    sum += weight(level);
    last = level;
  }
  double left = random.uniform() * sum;
  for (std::uint32_t level = 0; level < last; ++level) {
    if (!allowed(level)) continue;
    left -= weight(level);
    if (left < 0.0) return level;
  }
  return last;
}

/// Of so many draws from the good the one that is likeliest among them against the others.
template <typename Allowed>
std::uint32_t best_drawn_level(const KnobDensities& densities, std::size_t draws,
                               const Allowed& allowed, RandomStream& random) {
  const auto weight = [&](std::uint32_t level) { return densities.good[level]; };
  const auto ratio = [&](std::uint32_t level) {
    return densities.good[level] / densities.others[level];
  };
  std::uint32_t best = drawn_level(densities.good.size(), weight, allowed, random);
  for (std::size_t i = 1; i < draws; ++i) {
    const std::uint32_t level = drawn_level(densities.good.size(), weight, allowed, random);
    if (ratio(level) > ratio(best)) best = level;
  }
  return best;
}

/// Proposals of the estimator that takes each knob by itself.
class KnobProposal {
 public:
  /// `space` must outlive this.
  KnobProposal(const scenarios::SearchSpace& space, const TpeTrials& trials, CutNormals& normals);

  void draw(std::size_t draws, RandomStream& random, scenarios::Configuration& config) const;

 private:
  const scenarios::SearchSpace& space_;
  std::vector<KnobDensities> densities_;
};

}  // namespace cubicbench::search
