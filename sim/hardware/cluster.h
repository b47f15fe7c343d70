#pragma once

#include "sim/base/units.h"
#include "sim/hardware/device.h"

namespace cubicbench::sim {

/// Two levels: a fast domain inside a node (NVLink), one NIC a GPU between nodes.
/// Bandwidths are payload rates of one GPU in one direction.
struct Network {
  BytesPerSecond intra_bandwidth;  ///< nominal, inside a node
  double intra_efficiency = 1.0;   ///< share that large collectives reach
  Seconds intra_latency;           ///< of one collective step
  int direct_peers = 0;            ///< GPUs that the links of one GPU go to; 0: all to a switch
  BytesPerSecond inter_bandwidth;  ///< nominal NIC rate a GPU
  double inter_efficiency = 1.0;
  Seconds inter_latency;
  double all_to_all_efficiency = 0.66;  ///< share of the NIC rate that all-to-all reaches
  Seconds collective_overhead;          ///< launch floor of one collective

  bool operator==(const Network&) const = default;
};

/// What a job finds of its network when it starts: ranks that keep each other waiting, for a reason
/// that no launch setting tells. Zero is a network in order.
struct NetworkState {
  Seconds launch_wait;  ///< of a layer's forward launches, a rank of the tensor-parallel group
  Seconds
      collective_wait;  ///< of a scatter or gather of weights between nodes, a rank of its group

  bool operator==(const NetworkState&) const = default;
};

struct Cluster {
  Device device;
  Network network;
  int gpus = 1;
  int gpus_per_node = 1;
  NetworkState state;
  /// Mean delay of a GPU in a step, over the step; zero: all are on time, as the truth model takes
  /// a step before it adds its own jitter (sim/truth).
  double jitter = 0.0;

  bool operator==(const Cluster&) const = default;
};

}  // namespace cubicbench::sim
