#pragma once

#include <cstdint>
#include <string>

#include "sim/hardware/network.h"

namespace cubicbench::scenarios {

/// A cluster as far as collectives see it.
struct AskedCluster {
  std::string name;
  sim::Network network;
  std::int64_t gpus_per_domain = 8;  ///< of a node, or of a rack that is one NVLink domain
  std::int64_t gpus = 0;             ///< in all; 0: as many as are asked for
  double adapters = 0.0;             ///< of a domain; 0: not known, and counted as one a GPU
  sim::Placement placement = sim::Placement::packed;  ///< of the scenario
};

/// The cluster of a network of the library, or of a scenario; of two that have the same name, of
/// the network. A path is read by the schema that its file has. `where` names it in messages.
/// Throws InputError.
AskedCluster read_asked_cluster(const std::string& name_or_path, const std::string& where);

}  // namespace cubicbench::scenarios
