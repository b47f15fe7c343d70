#pragma once

#include "sim/plan/split_shape.h"
#include "sim/plan/stage_queues.h"

namespace cubicbench::sim {

/// DualPipe, stage by stage from where micro-batches enter, and DualPipeV, which is one half of it
/// [DeepSeekV3, section 3.2.1; DualPipe]. Of s stages, stage i with n micro-batches a chunk:
///
///   1  2 (s - i - 1) x  F0            5  (s - i - 1) x  B1, F1 & B0
///   2  (i + 1) x        F0 F1         6  (i + 1) x      B1 B0, weights later from the middle on
///   3  (s - i - 1) x    b1 W F1       7  (s - i - 1) x  W b0
///   4  (n - 2 s + i + 1) x  F0 & B1, F1 & B0     8  W of what is left
///
/// F forward, B whole backward, b the gradient of the input, W the oldest gradients of weights that
/// are due, 0 and 1 the chunk, & at the same time, but for the first pair of step 4 on the last
/// stage. A stage keeps 2 s + 1 passes. Requires n >= 2 s.
void write_dualpipe(const SplitShape& shape, StageQueues& queues);

}  // namespace cubicbench::sim
