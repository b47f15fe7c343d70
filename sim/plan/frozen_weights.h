#pragma once

#include "sim/hardware/dtype.h"
#include "sim/plan/plan.h"

namespace cubicbench::sim {

/// Bytes of a weight in NF4 with double quantisation: 4 bits, 8 of a scale for each block of 64,
/// and 32 of a scale of these for each 256 of them [QLoRA23, section 3].
inline constexpr double nf4_bytes = (4.0 + 8.0 / 64.0 + 32.0 / (64.0 * 256.0)) / 8.0;

/// That a frozen weight of a layer does without.
constexpr double frozen_saving(const Plan& plan) {
  return plan.quantize_base ? storage_bytes(plan.param_dtype) - nf4_bytes : 0.0;
}

}  // namespace cubicbench::sim
