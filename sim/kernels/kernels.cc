#include "sim/kernels/kernels.h"

#include <cmath>

namespace cubicbench::sim {
namespace {

constexpr double tile = 128.0;

bool is_multiple(double value, double of) { return std::floor(value / of) * of == value; }

/// Of the peak, by number format: that of products which are not quantised is 1.
double share_of(Dtype dtype, double fp8, double mxfp8, double nvfp4) {
  switch (dtype) {
    case Dtype::fp8:
      return fp8;
    case Dtype::mxfp8:
      return mxfp8;
    case Dtype::nvfp4:
      return nvfp4;
    case Dtype::fp32:
    case Dtype::tf32:
    case Dtype::fp16:
    case Dtype::bf16:
      return 1.0;
  }
  return 1.0;
}

double quantised_share(const Device& device, Dtype dtype) {
  return share_of(dtype, device.gemm_share_fp8, device.gemm_share_mxfp8, device.gemm_share_nvfp4);
}

double training_share(const Device& device, Dtype dtype) {
  return share_of(dtype, device.training_share_fp8, device.training_share_mxfp8,
                  device.training_share_nvfp4);
}

double wave_quantisation(const Device& device, const GemmShape& shape) {
  const double tiles = shape.batch * std::ceil(shape.m / tile) * std::ceil(shape.n / tile);
  const double waves = tiles / device.sm_count;
  return std::ceil(waves) / waves;
}

constexpr double unfused_efficiency = 0.55;     // of the peak, batched GEMMs of head size
constexpr double unfused_bytes_a_score = 14.0;  // mask, softmax, dropout and their reads, fp16
/// Of the rate of flash2. Set by hand to the 28 runs of Nemotron 3 in nvidia_megatron_bridge; from
/// 0.45 to 0.6 their median error stays below 9 %.
constexpr double scan_share = 0.5;

}  // namespace

double training_factor(const Device& device, Dtype dtype, const Stack& stack) {
  if (!reaches_in_training(device, stack)) return stack.gemm_factor;
  const double share = training_share(device, dtype);
  const double isolated = quantised_share(device, dtype);
  return stack.gemm_factor * (device.training_efficiency / device.gemm_efficiency) *
         (share == 0.0 ? 1.0 : share / isolated);
}

double misalignment(double n, double k) {
  return is_multiple(n, 8.0) && is_multiple(k, 8.0) ? 1.0 : 3.0;
}

KernelLimits gemm_limits(const Device& device, Dtype dtype, const GemmShape& shape, double factor) {
  const FlopsPerSecond rate = device.matmul_peak[row_of(dtype)] *
                              (device.gemm_efficiency * quantised_share(device, dtype) * factor);
  const Flops work{2.0 * shape.m * shape.n * shape.k * shape.batch};
  const double waste = (1.0 + device.gemm_wave_weight * (wave_quantisation(device, shape) - 1.0)) *
                       (1.0 + device.gemm_k_half / shape.k) * misalignment(shape.n, shape.k);
  const Bytes traffic{shape.batch * (wire_bytes(dtype) * (shape.m * shape.k + shape.n * shape.k) +
                                     storage_bytes(dtype) * shape.m * shape.n)};
  return {.work = work,
          .traffic = traffic,
          .compute = Seconds{(work / rate).value * waste},
          .memory = memory_bound_time(device, traffic)};
}

Seconds gemm_time(const Device& device, Dtype dtype, const GemmShape& shape, double factor) {
  const KernelLimits limits = gemm_limits(device, dtype, shape, factor);
  const double c = limits.compute.value;
  const double w = limits.memory.value;
  const double c2 = c * c;
  const double w2 = w * w;
  return device.kernel_overhead + Seconds{std::sqrt(std::sqrt(c2 * c2 + w2 * w2))};
}

/// That fused kernels reach over `keys` tokens.
FlopsPerSecond fused_rate(const Device& device, AttentionKernel kernel, Dtype dtype, double keys) {
  const double ramp = keys / (keys + device.attention_s_half);
  const double share = device.attention_efficiency[static_cast<std::size_t>(kernel)];
  return device.matmul_peak[row_of(attention_dtype(dtype))] * (share * ramp);
}

KernelLimits attention_limits(const Device& device, const Stack& stack, Dtype dtype,
                              const AttentionShape& shape) {
  const FlopsPerSecond peak = device.matmul_peak[row_of(attention_dtype(dtype))];
  const double scores = shape.queries * shape.keys * shape.heads;
  const Flops work{4.0 * scores * shape.head_size};
  const double misaligned = misalignment(shape.head_size, shape.head_size);
  if (stack.attention == AttentionKernel::unfused) {
    // Batched products whose rows start anywhere but at 16 bytes run without tensor cores.
    const FlopsPerSecond plain = device.matmul_peak[row_of(Dtype::fp32)];
    const FlopsPerSecond rate = misaligned == 1.0 || plain.value == 0.0 ? peak : plain;
    const Bytes traffic{unfused_bytes_a_score * scores};
    return {.work = work,
            .traffic = traffic,
            .compute = work / (rate * (unfused_efficiency * shape.share)),
            .memory = memory_bound_time(device, traffic)};
  }
  const FlopsPerSecond rate = shape.share * fused_rate(device, stack.attention, dtype, shape.keys);
  return {
      .work = 0.5 * work, .traffic = {}, .compute = misaligned * (0.5 * work / rate), .memory = {}};
}

KernelLimits scan_limits(const Device& device, Dtype dtype, const ScanShape& shape) {
  const Flops work{shape.tokens * shape.flops};
  const FlopsPerSecond rate = fused_rate(device, AttentionKernel::flash2, dtype, shape.chunk);
  return {.work = work, .traffic = {}, .compute = work / (scan_share * rate), .memory = {}};
}

Seconds attention_forward(const Device& device, const Stack& stack, Dtype dtype,
                          const AttentionShape& shape) {
  const KernelLimits limits = attention_limits(device, stack, dtype, shape);
  if (stack.attention == AttentionKernel::unfused) {
    return limits.compute + limits.memory + 2.0 * device.kernel_overhead;
  }
  return limits.compute + device.kernel_overhead;
}

double attention_backward_ratio(const Stack& stack) {
  return stack.attention == AttentionKernel::unfused ? 2.0 : 2.5;
}

Seconds attention_backward(const Device& device, const Stack& stack, Dtype dtype,
                           const AttentionShape& shape) {
  return attention_backward_ratio(stack) * attention_forward(device, stack, dtype, shape);
}

}  // namespace cubicbench::sim
