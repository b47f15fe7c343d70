#pragma once

namespace cubicbench::sim {

/// Bytes of the binary units, for numbers that are no quantities yet, or no more (of `Bytes` there
/// are literals: `2_GiB`).
inline constexpr double bytes_per_kib = 0x1p10;
inline constexpr double bytes_per_mib = 0x1p20;
inline constexpr double bytes_per_gib = 0x1p30;

}  // namespace cubicbench::sim
