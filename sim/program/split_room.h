#pragma once

#include <cstddef>
#include <vector>

#include "sim/base/units.h"
#include "sim/plan/split_order.h"

namespace cubicbench::sim {

/// The pipeline that was played last, whose stages and passes are still where it left them.
struct LastPlayed {
  SplitShape shape{.micro_batches = 0};
  Seconds hop;
  bool is_over = false;  ///< else only the shape is known
  // Rows of the passes between which its pace is seen:
  std::size_t pace_from = 0;
  std::size_t pace_to = 0;
};

/// Buffers for pipelines with split backward passes: orders that were in use, and room for the
/// times of their passes.
struct SplitRoom {
  SplitOrders orders;
  std::vector<Seconds> times;
  LastPlayed last;
};

}  // namespace cubicbench::sim
