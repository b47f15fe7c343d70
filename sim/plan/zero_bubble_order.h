#pragma once

#include "sim/plan/split_shape.h"
#include "sim/plan/stage_queues.h"

namespace cubicbench::sim {

/// ZB-H1 and ZB-H2 [ZeroBubble, section 2]: 1F1B whose weight gradients come d micro-batches late.
///
///   a = g (p - i - 1) forward passes; then in turn a forward pass, a backward pass and the weight
///   gradients of the micro-batch d = g i before it; g = 1 for ZB-H1, 2 for ZB-H2
///
/// So every stage keeps a + 1 + d micro-batches: p, or 2 p - 1.
void write_zero_bubble(const SplitShape& shape, StageQueues& queues);

}  // namespace cubicbench::sim
