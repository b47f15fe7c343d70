#pragma once

#include <cstdint>

#include "sim/base/philox.h"
#include "sim/base/units.h"

namespace cubicbench::sim {

/// What differs between launches of one configuration and stays the same through a launch
/// [docs/models.md, Eq. J-4, J-5].
struct RunNoise {
  double node_mean = 0.0;                 ///< mean persistent delay of a node, over the step
  double slow_network_probability = 0.0;  ///< q: that a launch gets the slower of two networks
  double slow_network_excess = 0.0;       ///< d: traffic takes 1 + d times as long on it

  bool operator==(const RunNoise&) const = default;
};

/// Nodes: eight runs of Llama 3.1 8B on one 8-GPU node differ with a standard deviation of 53.0 ms
/// around 4,377.9 ms, which is that of one exponential delay of this mean [B200Cluster].
/// Network: ten published launches of one large all-reduce over several nodes fall into two modes a
/// third apart with a coefficient of variation of 0.15. A slow share q of ten launches has
///   CV = sqrt(10/9) d sqrt(q (1-q)) / (1 + q d), d = 1/3:  0.146, 0.152, 0.151, 0.143
/// for q = 0.3 to 0.6: one half fits.
inline constexpr RunNoise field_run_noise{
    .node_mean = 53.0 / 4377.9, .slow_network_probability = 0.5, .slow_network_excess = 1.0 / 3.0};

/// What one launch drew.
struct RunLuck {
  double node_delay = 0.0;     ///< of the slowest node less its median: can be negative
  double network_delay = 0.0;  ///< relative to the mean of both networks: can be negative

  bool operator==(const RunLuck&) const = default;
};

/// What the faster and the slower network add to traffic, relative to their mean 1 + q d, so that
/// launches scatter around the true value rather than below it:
///
///   1 / (1 + q d) - 1   and   (1 + d) / (1 + q d) - 1;   a seventh less or more for
///   field_run_noise
constexpr double network_delay(const RunNoise& noise, bool slow) {
  const double mean = 1.0 + noise.slow_network_probability * noise.slow_network_excess;
  return (slow ? 1.0 + noise.slow_network_excess : 1.0) / mean - 1.0;
}

/// The luck of a launch on `nodes` nodes, a pure function of `name` (its `draw` numbers launches).
/// On one node there is no traffic for a slow network to slow.
RunLuck draw_luck(const RunNoise& noise, std::int64_t nodes, const Draw& name);

/// A step of ideal time `step`, of which `between_nodes` waits for traffic between nodes:
///   (step + network_delay between_nodes) (1 + node_delay)
constexpr Seconds with_luck(Seconds step, Seconds between_nodes, const RunLuck& luck) {
  return (1.0 + luck.node_delay) * (step + luck.network_delay * between_nodes);
}

}  // namespace cubicbench::sim
