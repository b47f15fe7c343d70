#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "datasets/jobs/dataset.h"
#include "predictor/encoding/encoding.h"
#include "predictor/learners/boosted_trees.h"

namespace cubicbench::predictor {

/// Which jobs run in the slow state of their cluster, in which every rank of a group makes the
/// others wait. Nobody writes that down before launch, but where the two states are far apart a
/// finished job shows which one it was in, and jobs of one layout tend to share it. So each
/// training job is placed between the simulated two,
///
///   share = (log value - log simulated - common offset) / (log slow - log simulated), in [0, 1],
///
/// and boosted trees learn the share from the layout; a job weighs as the squared distance of its
/// two states, which is the least-squares fit of the value's logarithm. Threads may share it.
class SlowState {
 public:
  /// `values` are the logarithms of the training jobs' values. Jobs without an answer of the
  /// simulator are passed over.
  SlowState(const datasets::Dataset& data, std::span<const std::size_t> jobs,
            std::span<const double> values, std::uint64_t seed);

  /// Each job's share, in [0, 1].
  std::vector<double> shares(const datasets::Dataset& data,
                             std::span<const std::size_t> jobs) const;

 private:
  std::optional<BoostedTrees> trees_;  ///< nothing when no training job tells the states apart
};

}  // namespace cubicbench::predictor
