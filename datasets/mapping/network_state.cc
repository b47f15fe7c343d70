#include "datasets/mapping/network_state.h"

#include <algorithm>

#include "sim/network/collective.h"

namespace cubicbench::datasets {
namespace {

constexpr double giga = 1e9;
constexpr double free_gb_s = 260.0;      // all-gather of many H100 that do not wait for each other
constexpr double waits_from = 1e-4;      // s/GB a GPU: jobs in order have 3.3e-5, others 2.5e-4
constexpr double in_order_gb_s = 176.0;  // all-reduce of jobs in order, on 64 to 512 GPUs
constexpr int nodes_of_rings = 3;        // two nodes reduce inside first and exceed their adapters
constexpr double passes = 3.0;           // one forward, two backward
constexpr sim::Seconds layer_wait = {2.1e-3};
constexpr double layer_halves = 10.0;  // scatters and gathers of a tensor-parallel layer
constexpr double felt = 0.5;           // of a layer's wait a half, by those of weights

/// GB/s of an all-gather that is not waited for: no more than this network carries.
double free_rate(const sim::Cluster& cluster) {
  const sim::Group all{.ranks = cluster.gpus, .ranks_per_node = cluster.gpus_per_node};
  return std::min(free_gb_s, sim::bus_bandwidth(all, cluster.network).value / giga);
}

bool is_slow(double all_gather, const sim::Cluster& cluster) {
  return (1.0 / all_gather - 1.0 / free_rate(cluster)) / cluster.gpus > waits_from;
}

/// A node sends no more than the all-reduce of the whole job showed. Where ranks kept each other
/// waiting it shows their wait, and the rate is that of jobs in order.
void cap_rate(double all_reduce, sim::Cluster& cluster) {
  if (cluster.gpus < nodes_of_rings * cluster.gpus_per_node) return;
  sim::Network& network = cluster.network;
  const double nominal = cluster.gpus_per_node * network.inter_bandwidth.value / giga;
  const auto cap = [&](sim::FabricFamily& family) {
    family.share = std::min(family.share, all_reduce / nominal);
  };
  cap(network.inter.reduce);
  cap(network.inter.gather);
}

}  // namespace

sim::NetworkState slow_network() {
  return {.launch_wait = (1.0 / passes) * layer_wait,
          .collective_wait = (felt / layer_halves) * layer_wait};
}

void apply_measured(const MeasuredFabric& fabric, sim::Cluster& cluster) {
  const bool slow = fabric.all_gather && is_slow(*fabric.all_gather, cluster);
  if (slow) cluster.state = slow_network();
  if (fabric.all_reduce) cap_rate(slow ? in_order_gb_s : *fabric.all_reduce, cluster);
}

}  // namespace cubicbench::datasets
