#include "sim/truth/run_noise.h"

#include "sim/base/slowest.h"

namespace cubicbench::sim {

RunLuck draw_luck(const RunNoise& noise, std::int64_t nodes, const Draw& name) {
  const RandomWords words = random_words(name);
  RunLuck luck;
  luck.node_delay = slowest_quantile(noise.node_mean, nodes, unit_interval(words.first)) -
                    slowest_quantile(noise.node_mean, nodes, 0.5);
  if (nodes > 1) {
    const bool slow = unit_interval(words.second) < noise.slow_network_probability;
    luck.network_delay = network_delay(noise, slow);
  }
  return luck;
}

}  // namespace cubicbench::sim
