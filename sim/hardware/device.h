#pragma once

#include <array>

#include "sim/base/units.h"
#include "sim/hardware/dtype.h"

namespace cubicbench::sim {

/// Generations of attention kernels. A stack has one, a device says how fast it runs.
enum class AttentionKernel { unfused, flash1, flash2, flash3, cudnn };
inline constexpr int attention_kernel_count = 5;

/// One accelerator. Rates are the vendor's dense peaks; the fitted constants say what share of
/// them large kernels reach (sources in scenarios/hardware/*.json).
struct Device {
  std::array<FlopsPerSecond, dtype_count> matmul_peak{};  ///< zero: not supported
  Bytes memory;                            ///< total device memory as the driver reports it
  BytesPerSecond memory_bandwidth;         ///< nominal HBM rate
  double memory_efficiency = 0.85;         ///< share of it that streaming kernels reach
  BytesPerSecond host_bandwidth = {25e9};  ///< of copies from host memory; PCIe 4 unless said
  /// What a GPU's share of its host streams from and to memory. Assumed: two sockets of eight
  /// channels of DDR4-3200 have 410 GB/s for eight GPUs, of which half is reached.
  BytesPerSecond host_memory_bandwidth = {25e9};
  /// And from and to its SSDs. Assumed: one NVMe drive of PCIe 3 for each GPU.
  BytesPerSecond storage_bandwidth = {3e9};
  int sm_count = 1;
  double gemm_efficiency = 1.0;  ///< e: share of the peak reached by large, aligned GEMMs
  /// Share of its peak that a quantised product reaches, over that of 16 bits.
  double gemm_share_fp8 = 1.0;
  double gemm_share_mxfp8 = 1.0;
  double gemm_share_nvfp4 = 1.0;
  // The same inside a training step, where power and clocks settle; 0: as isolated kernels.
  double training_efficiency = 0.0;
  double training_share_fp8 = 0.0;
  double training_share_mxfp8 = 0.0;
  double training_share_nvfp4 = 0.0;
  double gemm_k_half = 0.0;       ///< k0: inner size at which the rate has dropped to half
  double gemm_wave_weight = 0.0;  ///< w1: weight of tile-wave quantisation, 0..1
  /// Share of the peak that fused attention reaches on long sequences, forward and backward
  /// together; by AttentionKernel, nothing of `unfused`.
  std::array<double, attention_kernel_count> attention_efficiency{0.0, 0.3, 0.3, 0.3, 0.3};
  double attention_s_half = 500.0;  ///< sequence length at which that rate has halved
  /// Of the CPU beside it: time of a launch over that on hosts of 2020 and later.
  double host_factor = 1.0;
  Seconds kernel_overhead;  ///< t0: launch and drain of one kernel
  /// Power of the board while it computes, and while it waits within a step. Zero: not stated.
  double board_watts = 0.0;
  double waiting_watts = 0.0;

  bool operator==(const Device&) const = default;
};

}  // namespace cubicbench::sim
