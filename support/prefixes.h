#pragma once

namespace cubicbench::support {

// Files and pages say microseconds and gigabytes, the program seconds and bytes.
inline constexpr double micro = 1e-6;
inline constexpr double giga = 1e9;

}  // namespace cubicbench::support
