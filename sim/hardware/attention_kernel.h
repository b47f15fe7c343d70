#pragma once

namespace cubicbench::sim {

/// Generations of attention kernels. A stack has one, a device says how fast it runs.
enum class AttentionKernel { unfused, flash1, flash2, flash3, cudnn };
inline constexpr int attention_kernel_count = 5;

}  // namespace cubicbench::sim
