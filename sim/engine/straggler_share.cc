#include "sim/engine/straggler_share.h"

#include <algorithm>

#include "sim/base/slowest.h"

namespace cubicbench::sim {

double straggler_share(const Cluster& cluster) {
  constexpr int gpus_of_node = 8;
  if (cluster.jitter <= 0.0) return 0.0;
  return slowest_mean(cluster.jitter, cluster.gpus) -
         slowest_mean(cluster.jitter, std::min(cluster.gpus, gpus_of_node));
}

}  // namespace cubicbench::sim
