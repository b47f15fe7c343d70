#pragma once

namespace cubicbench::support {

inline constexpr double seconds_per_hour = 3600.0;

}  // namespace cubicbench::support
