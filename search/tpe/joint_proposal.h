#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "search/searchers/random_stream.h"
#include "search/searchers/unproposed.h"
#include "search/tpe/knob_proposal.h"
#include "search/tpe/parzen.h"
#include "search/tpe/tpe_trials.h"

namespace cubicbench::search {

/// A Parzen estimator of several knobs together: each trial is a kernel, the prior the last.
class JointEstimator {
 public:
  /// Of the trials in which `good` is `side`. `knobs` are parameters that all trials have.
  JointEstimator(const std::vector<KnobLevels>& levels, const std::vector<std::size_t>& knobs,
                 const TpeTrials& trials, const std::vector<bool>& good, bool side,
                 CutNormals& normals);

  std::size_t draw_kernel(RandomStream& random) const;

  /// What a kernel gives a level of the `knob`-th of the knobs.
  double mass(std::size_t kernel, std::size_t knob, std::size_t level) const;

  /// What all together give a configuration, of the knobs that are active in it.
  double density(const scenarios::Configuration& config) const;

 private:
  std::vector<KnobLevels> levels_;                 ///< of the knobs
  std::vector<std::size_t> knobs_;                 ///< their parameters
  std::vector<double> weights_;                    ///< of the kernels
  std::vector<KnobKernel> kernels_;                ///< by knob
  std::vector<std::vector<std::size_t>> centres_;  ///< [knobs][trials]
};

/// Proposals of the estimator that takes together all knobs that every trial had, and the others
/// by themselves.
class JointProposal {
 public:
  /// `space` must outlive this.
  JointProposal(const scenarios::SearchSpace& space, const TpeTrials& trials, CutNormals& normals);

  /// Of so many draws from the good, without those that were proposed, the one that is likeliest
  /// among them against the others.
  std::optional<scenarios::Configuration> best_drawn(std::size_t draws,
                                                     const Unproposed& unproposed,
                                                     RandomStream& random) const;

 private:
  scenarios::Configuration drawn(std::size_t draws, RandomStream& random) const;

  const scenarios::SearchSpace& space_;
  std::vector<std::optional<std::size_t>> place_;  ///< by parameter: its place among joint knobs
  std::vector<KnobDensities> alone_;               ///< by parameter: of those that are not joint
  std::optional<JointEstimator> good_;
  std::optional<JointEstimator> others_;
};

}  // namespace cubicbench::search
