#pragma once

#include "sim/base/units.h"
#include "sim/hardware/device.h"
#include "sim/hardware/stack.h"

namespace cubicbench::sim {

/// Causal self-attention of `queries` tokens, each over a context of `keys` tokens (half of it
/// on average), by the heads of one rank.
struct AttentionShape {
  double queries = 0.0;
  double keys = 0.0;
  double heads = 0.0;
  double head_size = 0.0;
};

/// Forward time.                                                   [docs/models.md, Eq. K-3, K-4]
///
///   fused    4 q k a d / 2 / (P e_a s / (s + s_half))
///   unfused  4 q k a d / (0.55 P)  +  14 bytes a score / streaming rate
///
/// A head size that is no multiple of 8 elements costs fused kernels three times as much; unfused
/// products then run without tensor cores, at 0.55 of the fp32 peak. Requires all sizes >= 1.
Seconds attention_forward(const Device& device, const Stack& stack, Dtype dtype,
                          const AttentionShape& shape);

/// Backward time: 2.5 times forward when fused (five products against two), else 2.
Seconds attention_backward(const Device& device, const Stack& stack, Dtype dtype,
                           const AttentionShape& shape);

}  // namespace cubicbench::sim
