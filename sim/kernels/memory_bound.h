#pragma once

#include "sim/base/units.h"
#include "sim/hardware/device.h"

namespace cubicbench::sim {

/// Time of kernels that only stream: traffic / (nominal bandwidth x streaming share).
/// Launches are not counted here; the host floor of a pass covers them [docs/models.md, Eq. K-5].
inline Seconds memory_bound_time(const Device& device, Bytes traffic) {
  return traffic / (device.memory_bandwidth * device.memory_efficiency);
}

/// Bytes streamed to quantise one element of 16 bits for the products that read it
/// [docs/models.md, Eq. K-9], none for formats that are not quantised:
///
///   fp8    one scale a tensor: 2 for the largest magnitude, 2 + 1 + 1 for the copy and its
///          transpose
///   mxfp8  one scale of a byte for 32 elements along either direction: 2 + 2 (1 + 1/32)
///   nvfp4  a scale a tensor, and one of a byte for 16 elements: 2 + 2 (2 + 1/2 + 1/16), the second
///          copy is rotated before it is quantised and made by a kernel of its own
///
/// Source: the recipes Float8CurrentScaling, MXFP8BlockScaling and NVFP4BlockScaling of
/// github.com/NVIDIA/TransformerEngine; arXiv 2509.25149, section 4. Left out: quantising the
/// weights, which is done once a step.
constexpr double quantising_bytes(Dtype dtype) {
  switch (dtype) {
    case Dtype::fp8:
      return 2.0 + 2.0 + 1.0 + 1.0;
    case Dtype::mxfp8:
      return 2.0 + 2.0 * (1.0 + 1.0 / 32.0);
    case Dtype::nvfp4:
      return 2.0 + 2.0 * (2.0 + 0.5 + 1.0 / 16.0);
    default:
      return 0.0;
  }
}

/// Kernels that a layer launches, over those of 16 bits: twice as many where products are
/// quantised. A forward pass is a dozen kernels (four products, attention, two norms, rotary
/// embedding, activation, residuals); each product's input takes three more (largest magnitude,
/// scale, copy)
/// [docs/models.md, Eq. E-3].
constexpr double layer_launches(Dtype dtype) {
  return dtype >= Dtype::fp8 ? (12.0 + 4.0 * 3.0) / 12.0 : 1.0;
}

}  // namespace cubicbench::sim
