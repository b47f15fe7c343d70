#pragma once

#include <map>
#include <string>

#include "sim/hardware/cluster.h"
#include "sim/hardware/stack.h"

namespace cubicbench::datasets {

/// The library's devices, networks and stacks by name.
struct Library {
  template <class T>
  using Shelf = std::map<std::string, T, std::less<>>;

  Shelf<sim::Device> devices;
  Shelf<sim::Network> networks;
  Shelf<sim::Stack> stacks;
};

/// Read once, on the first call. Threads may call it at the same time.
const Library& library();

}  // namespace cubicbench::datasets
