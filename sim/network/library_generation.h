#pragma once

#include "sim/hardware/network.h"
#include "sim/hardware/stack.h"

namespace cubicbench::sim {

/// Takes from `network` what the collective library of `stack` has not: without trees between nodes
/// all-reduces go round rings, which on two published fabrics reach 0.88 (EFA, NCCL 2.9.9) and 0.94
/// (TCPXO) of the adapters.
void limit_to_library(const Stack& stack, Network& network);

}  // namespace cubicbench::sim
