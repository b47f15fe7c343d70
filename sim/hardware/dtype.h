#pragma once

namespace cubicbench::sim {

enum class Dtype { fp32, tf32, fp16, bf16, fp8, mxfp8, nvfp4 };
inline constexpr int dtype_count = 7;

/// Bytes of one stored element. fp8, mxfp8 and nvfp4 are compute formats: tensors that travel or
/// are kept between kernels stay in 16 bits unless said otherwise.
constexpr double storage_bytes(Dtype dtype) {
  return dtype == Dtype::fp32 || dtype == Dtype::tf32 ? 4.0 : 2.0;
}

/// Bytes of one element of a tensor that is quantised: for the wire, or as a product keeps it.
constexpr double wire_bytes(Dtype dtype) {
  switch (dtype) {
    case Dtype::fp8:
    case Dtype::mxfp8:
      return 1.0;
    case Dtype::nvfp4:
      return 0.5;
    default:
      return storage_bytes(dtype);
  }
}

}  // namespace cubicbench::sim
