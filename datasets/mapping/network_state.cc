#include "datasets/mapping/network_state.h"

#include <algorithm>

#include "sim/network/collective.h"

namespace cubicbench::datasets {
namespace {

constexpr double giga = 1e9;
constexpr double free_gb_s = 260.0;   // all-gather of many H100 that do not wait for each other
constexpr double waits_from = 1e-4;   // s/GB a GPU: others have 3.3e-5
constexpr double slow_wait = 2.5e-4;  // s/GB a GPU, typical
constexpr double felt = 0.5;          // of that wait by gradient traffic, which is in buckets
constexpr double passes = 3.0;        // one forward, two backward
constexpr sim::Seconds layer_wait = {2.3e-3};

/// GB/s of an all-gather that is not waited for: no more than this network carries.
double free_rate(const sim::Cluster& cluster) {
  const sim::Group all{.ranks = cluster.gpus, .ranks_per_node = cluster.gpus_per_node};
  return std::min(free_gb_s, sim::bus_bandwidth(all, cluster.network).value / giga);
}

}  // namespace

sim::NetworkState slow_network() {
  return {.launch_wait = (1.0 / passes) * layer_wait, .byte_wait_s = felt * slow_wait / giga};
}

sim::NetworkState measured_state(const MeasuredFabric& fabric, const sim::Cluster& cluster) {
  if (!fabric.all_gather) return {};
  const double wait = (1.0 / *fabric.all_gather - 1.0 / free_rate(cluster)) / cluster.gpus;
  sim::NetworkState state;
  if (wait > waits_from) state.launch_wait = slow_network().launch_wait;
  if (wait > 0.0) state.byte_wait_s = felt * wait / giga;
  return state;
}

}  // namespace cubicbench::datasets
