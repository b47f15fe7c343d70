#pragma once

#include <map>
#include <string>

#include "sim/hardware/cluster.h"
#include "sim/hardware/stack.h"

namespace cubicbench::datasets {

/// Which files of scenarios/collectives say what collectives cost on a network.
struct CostNames {
  std::string domain, fabric;
};

/// The library's devices, networks and stacks by name.
struct Library {
  template <class T>
  using Shelf = std::map<std::string, T, std::less<>>;

  Shelf<sim::Device> devices;
  Shelf<sim::Network> networks;
  Shelf<sim::Stack> stacks;
  Shelf<CostNames> costs;  ///< by network
};

/// Read once, on the first call. Threads may call it at the same time.
const Library& library();

}  // namespace cubicbench::datasets
