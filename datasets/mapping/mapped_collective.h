#pragma once

#include <optional>
#include <string>
#include <vector>

#include "datasets/tables/collective_measurement.h"
#include "sim/base/units.h"
#include "sim/hardware/network.h"
#include "sim/network/collective.h"

namespace cubicbench::datasets {

/// A row's question, in the simulator's words.
struct AskedCollective {
  sim::Collective operation = sim::Collective::all_reduce;
  sim::Bytes size;
  sim::Group group;
  sim::Network network;                    ///< with what its library and its way of running change
  std::string domain_costs, fabric_costs;  ///< files of scenarios/collectives that it has
};

/// What the simulator says of a collective, and what was filled in to ask it.
struct MappedCollective {
  std::optional<AskedCollective> asked;  ///< where there is an answer
  std::optional<sim::Seconds> simulated;
  std::int64_t ranks = 0;            ///< of a group, where there is an answer
  std::vector<std::string> assumed;  ///< columns that were empty or whose text was interpreted
  std::string reason;                ///< why there is no answer; empty when there is one
};

/// Does a row say what a simulator of collectives can be asked? Not where nothing tells the GPU,
/// nor of an operation that datasets/measured/systems.json excludes. Threads may call it at the
/// same time.
bool is_wanted(const CollectiveMeasurement& row);
/// Does its source itself say that a row is not to be used?
bool is_flagged(const CollectiveMeasurement& row);

/// Maps a row to a network of the library, a group and an operation, and times it. Systems are
/// named in datasets/measured/systems.json. Threads may call it at the same time.
MappedCollective simulate_collective(const CollectiveMeasurement& row);

}  // namespace cubicbench::datasets
