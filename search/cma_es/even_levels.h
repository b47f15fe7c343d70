#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace cubicbench::search {

/// Of `levels` (at least 2) values that lie evenly from 0 to 1, the number of the one that is
/// nearest to a place.
inline std::int64_t nearest_level(double place, std::int64_t levels) {
  const auto last = static_cast<double>(levels - 1);
  return static_cast<std::int64_t>(std::clamp(std::floor(place * last + 0.5), 0.0, last));
}

/// The middle between two neighbours of them, of which the upper is number `above`.
inline double boundary_below(std::int64_t above, std::int64_t levels) {
  return (static_cast<double>(above) - 0.5) / static_cast<double>(levels - 1);
}

}  // namespace cubicbench::search
