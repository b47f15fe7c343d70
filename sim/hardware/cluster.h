#pragma once

#include "sim/hardware/device.h"
#include "sim/hardware/network.h"

namespace cubicbench::sim {

struct Cluster {
  Device device;
  Network network;
  int gpus = 1;
  int gpus_per_node = 1;
  Placement placement = Placement::packed;
  NetworkState state;
  /// Mean delay of a GPU in a step, over the step; zero: all are on time, as the truth model takes
  /// a step before it adds its own jitter (sim/truth).
  double jitter = 0.0;

  bool operator==(const Cluster&) const = default;
};

}  // namespace cubicbench::sim
