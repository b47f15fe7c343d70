#pragma once

namespace cubicbench::sim {

enum class Dtype { fp32, tf32, fp16, bf16, fp8, mxfp8, nvfp4 };
inline constexpr int dtype_count = 7;

/// Bytes of one stored element. fp8, mxfp8 and nvfp4 are compute formats: tensors that travel or
/// are kept between kernels stay in 16 bits unless said otherwise.
constexpr double storage_bytes(Dtype dtype) {
  return dtype == Dtype::fp32 || dtype == Dtype::tf32 ? 4.0 : 2.0;
}

}  // namespace cubicbench::sim
