#pragma once

#include <cstdint>
#include <vector>

#include "sim/program/operation.h"

namespace cubicbench::sim {

/// Calls `body`, which appends to `operations`, and says which they are.
template <typename Body>
Block block_of(const std::vector<Operation>& operations, double host_passes, Body body) {
  Block block;
  block.begin = static_cast<std::uint32_t>(operations.size());
  body();
  block.end = static_cast<std::uint32_t>(operations.size());
  block.host_passes = host_passes;
  return block;
}

}  // namespace cubicbench::sim
