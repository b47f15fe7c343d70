#pragma once

#include <vector>

#include "sim/base/units.h"
#include "sim/plan/split_order.h"

namespace cubicbench::sim {

/// Buffers for pipelines with split backward passes: orders that were in use, and room for the
/// times of their passes.
struct SplitRoom {
  SplitOrders orders;
  std::vector<Seconds> times;
};

}  // namespace cubicbench::sim
