#pragma once

#include "sim/base/units.h"
#include "sim/hardware/device.h"
#include "sim/hardware/stack.h"

namespace cubicbench::sim {

/// C[m x n] += A[m x k] B[k x n].
struct GemmShape {
  double m = 0.0;
  double n = 0.0;
  double k = 0.0;
  double batch = 1.0;  ///< products of this shape in one kernel
};

/// What one kernel computes and moves, and what either would take alone: its place under the
/// device's roofline [Roofline09].
struct KernelLimits {
  Flops work;
  Bytes traffic;    ///< none where the law of the kernel has no term for it
  Seconds compute;  ///< c of gemm_time()
  Seconds memory;   ///< w
};

/// Those of one matrix multiplication, as gemm_time() puts them together.
KernelLimits gemm_limits(const Device& device, Dtype dtype, const GemmShape& shape, double factor);

/// Time of one matrix multiplication.
///
///   t = t0 + (c^4 + w^4)^(1/4)                                       [docs/models.md, Eq. K-1]
///   c = 2 b m n k / (e P) * (1 + w1 (ceil(waves) / waves - 1)) * (1 + k0 / k) * misalignment
///   w = bytes of A, B and C, b times / streaming rate
///
/// for b products in one kernel (a grouped product), whose tiles share the waves.
/// A and B travel as they are quantised, C in 16 bits. Of a quantised format e is the 16-bit share
/// times the device's gemm_share of it. `factor` scales e: what a whole training step reaches of
/// the isolated kernel's rate. Waves are 128 x 128 tiles over the SM count. Source: fit to the
/// published GEMM points, median error 2 to 3 % on A100 and H100. Left out: split-k and the choice
/// of tile.
Seconds gemm_time(const Device& device, Dtype dtype, const GemmShape& shape, double factor);

/// Are the device's rates in training known, and read?
constexpr bool reaches_in_training(const Device& device, const Stack& stack) {
  return counts_kernels(stack) && device.training_efficiency > 0.0;
}

/// `factor` of the products of a training step: the stack's own; where kernels are counted, times
/// what the device reaches in training, over what it reaches in isolated kernels.
double training_factor(const Device& device, Dtype dtype, const Stack& stack);

/// 1 when n and k are multiples of 8 elements (16 bytes in 16 bits, what tensor cores load at
/// once), 3 otherwise: the heads of vTrain's runs without tensor parallelism, 50,257 columns
/// [docs/models.md, Eq. K-2].
double misalignment(double n, double k);

/// Causal self-attention of `queries` tokens, each over a context of `keys` tokens (half of it
/// on average), by the heads of one rank.
struct AttentionShape {
  double queries = 0.0;
  double keys = 0.0;
  double heads = 0.0;
  double head_size = 0.0;
  double share = 1.0;  ///< of the rate of the stack's kernel that this one reaches
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

/// What attention computes in: low-precision recipes leave it in 16 bits.
constexpr Dtype attention_dtype(Dtype dtype) { return is_quantised(dtype) ? Dtype::bf16 : dtype; }

/// Those of one attention_forward(); fused kernels keep scores on the chip, and
/// their law has no traffic.
KernelLimits attention_limits(const Device& device, const Stack& stack, Dtype dtype,
                              const AttentionShape& shape);

/// Backward time over forward: 2.5 when fused (five products against two), else 2.
double attention_backward_ratio(const Stack& stack);

/// Backward time: attention_backward_ratio() times forward.
Seconds attention_backward(const Device& device, const Stack& stack, Dtype dtype,
                           const AttentionShape& shape);

/// The products of a scan over `tokens`, `flops` operations a token in chunks of `chunk` tokens, by
/// the heads of one rank.
struct ScanShape {
  double tokens = 0.0;
  double chunk = 0.0;
  double flops = 0.0;
};

/// Those of the kernels of one scan, forward or backward.         [docs/models.md, Eq. K-14]
///
///   tokens flops / (f P e_2 chunk / (chunk + s_half))
///
/// with the share e_2 of the peak that flash2 reaches on the device: like these, kernels of
/// mamba_ssm are written for the tensor instructions of Ampere, whatever kernel attention has. They
/// reach a share f of that rate.
KernelLimits scan_limits(const Device& device, Dtype dtype, const ScanShape& shape);

/// Time of kernels that only stream: traffic / (nominal bandwidth x streaming share).
/// Launches are not counted here; the host floor of a pass covers them [docs/models.md, Eq. K-5].
inline Seconds memory_bound_time(const Device& device, Bytes traffic) {
  return traffic / (device.memory_bandwidth * device.memory_efficiency);
}

/// Kernels that a layer launches, over those of 16 bits: twice as many where products are
/// quantised. A forward pass is a dozen kernels (four products, attention, two norms, rotary
/// embedding, activation, residuals); each product's input takes three more (largest magnitude,
/// scale, copy)
/// [docs/models.md, Eq. E-3].
constexpr double layer_launches(Dtype dtype) {
  return is_quantised(dtype) ? (12.0 + 4.0 * 3.0) / 12.0 : 1.0;
}

}  // namespace cubicbench::sim
