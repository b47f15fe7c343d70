#pragma once

#include <span>
#include <string_view>

#include "sim/network/collective.h"

namespace cubicbench::scenarios {

// Names as NCCL and nccl-tests have them, in the order of the enumerators.

/// "all_gather", "reduce_scatter", "all_reduce", "alltoall", "broadcast", "sendrecv".
std::span<const std::string_view> collective_names();
/// "ring", "tree", "nvls", "nvls_tree", "in_network", "pat", "recursive_doubling", "hierarchical",
/// "direct".
std::span<const std::string_view> algorithm_names();

std::string_view name_of(sim::Collective op);
std::string_view name_of(sim::Algorithm algorithm);
std::string_view name_of(sim::Protocol protocol);
std::string_view name_of(sim::Bottleneck bottleneck);

}  // namespace cubicbench::scenarios
