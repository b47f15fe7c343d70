#pragma once

#include "scenarios/readers/description.h"
#include "scenarios/readers/network_reader.h"

namespace cubicbench::scenarios {

/// Reads the rest of a file of schema `cubicbench.network/1`, which had one rate, one efficiency
/// and one latency inside a node and one of each between nodes: they become those of the rings, and
/// there is no other protocol, no reduction in a switch and no pipeline to fill.
NetworkDescription read_network_version_1(Description& in);

}  // namespace cubicbench::scenarios
