#pragma once

#include <optional>
#include <string>

#include "sim/network/topology.h"

namespace cubicbench::scenarios {

/// How files call a place of a cluster: "gpu:12", "domain:1" (the switch that joins its GPUs),
/// "adapter:1/4" (of domain 1) and "switch:0/3/7" (switch 7 of block 3 of the layer next to the
/// adapters).
std::string place_name(const sim::Topology& topology, sim::VertexId place);

struct NamedPlace {
  std::optional<sim::VertexId> place;
  std::string expected;  ///< what could stand there, where there is no such place
};

/// The place that `name` calls. Requires a topology of build_topology().
NamedPlace find_place(const sim::Topology& topology, const std::string& name);

/// The names of what a cable joins to `place`: "domain:1, adapter:1/4"; of more than four the
/// first.
std::string neighbour_names(const sim::Topology& topology, sim::VertexId place);

}  // namespace cubicbench::scenarios
