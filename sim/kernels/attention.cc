#include "sim/kernels/attention.h"

#include <cmath>

namespace cubicbench::sim {
namespace {

constexpr double unfused_efficiency = 0.55;     // of the peak, batched GEMMs of head size
constexpr double unfused_bytes_a_score = 14.0;  // mask, softmax, dropout and their reads, fp16

bool is_aligned(double head_size) { return std::floor(head_size / 8.0) * 8.0 == head_size; }

}  // namespace

Seconds attention_forward(const Device& device, const Stack& stack, Dtype dtype,
                          const AttentionShape& shape) {
  // Low-precision recipes leave attention in 16 bits.
  const Dtype kernel = storage_bytes(dtype) == 2.0 && dtype != Dtype::fp16 ? Dtype::bf16 : dtype;
  const FlopsPerSecond peak = device.matmul_peak[static_cast<std::size_t>(kernel)];
  const double scores = shape.queries * shape.keys * shape.heads;
  const Flops work{4.0 * scores * shape.head_size};
  const bool aligned = is_aligned(shape.head_size);
  if (stack.attention == AttentionKernel::unfused) {
    // Batched products whose rows start anywhere but at 16 bytes run without tensor cores.
    const FlopsPerSecond plain = device.matmul_peak[static_cast<std::size_t>(Dtype::fp32)];
    const FlopsPerSecond rate = aligned || plain.value == 0.0 ? peak : plain;
    const Bytes traffic{unfused_bytes_a_score * scores};
    return work / (rate * unfused_efficiency) +
           traffic / (device.memory_bandwidth * device.memory_efficiency) +
           2.0 * device.kernel_overhead;
  }
  const double misaligned = aligned ? 1.0 : 3.0;
  const double ramp = shape.keys / (shape.keys + device.attention_s_half);
  const double share = device.attention_efficiency[static_cast<std::size_t>(stack.attention)];
  return misaligned * (0.5 * work / (peak * (share * ramp))) + device.kernel_overhead;
}

Seconds attention_backward(const Device& device, const Stack& stack, Dtype dtype,
                           const AttentionShape& shape) {
  const double ratio = stack.attention == AttentionKernel::unfused ? 2.0 : 2.5;
  return ratio * attention_forward(device, stack, dtype, shape);
}

}  // namespace cubicbench::sim
