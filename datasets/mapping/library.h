#pragma once

#include <map>
#include <string>
#include <string_view>

#include "sim/hardware/cluster.h"
#include "sim/hardware/stack.h"
#include "support/json/object_reader.h"

namespace cubicbench::datasets {

/// What the file of a network says beside it.
struct CostNames {
  std::string domain, fabric;   ///< files of scenarios/collectives: what collectives cost there
  double adapters_a_gpu = 1.0;  ///< of a domain
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

/// The name at "device" of one of its devices; another is a problem.
std::string known_device(support::ObjectReader& in);

/// "Volta", "Ampere", "Hopper", "Hopper cards", "Blackwell" of devices of the library that are
/// NVIDIA's, else the device itself.
std::string_view generation_of(std::string_view device);

}  // namespace cubicbench::datasets
