#pragma once

#include <chrono>
#include <cmath>
#include <cstdint>

#include "sim/base/check.h"
#include "sim/base/units.h"

namespace cubicbench::sim {

/// The clock of the event engine: whole picoseconds, so that sums are exact, equal times are equal,
/// and the order of additions does not count. Reaches 106 days.
using SimTime = std::chrono::duration<std::int64_t, std::pico>;

/// No event is later, 53 days.
inline constexpr SimTime clock_end{std::int64_t{1} << 62};

/// The one way from the real-valued model to the clock: rounds to the nearest picosecond. Requires
/// 0 <= time < 2^62 ps, 53 days.
inline SimTime to_sim_time(Seconds time) {
  const double picoseconds = std::nearbyint(time.value * 1e12);
  SIM_ASSERT(picoseconds >= 0.0 && picoseconds < 0x1p62, time.value);
  return SimTime{static_cast<std::int64_t>(picoseconds)};
}

constexpr Seconds to_seconds(SimTime time) {
  return Seconds{static_cast<double>(time.count()) / 1e12};
}

constexpr double picoseconds(SimTime time) { return static_cast<double>(time.count()); }

/// To the nearest picosecond.
inline SimTime rounded(double picoseconds) {
  SIM_ASSERT(picoseconds < 0x1p62, picoseconds);
  return SimTime{static_cast<std::int64_t>(std::nearbyint(picoseconds))};
}

/// `factor` times as long.
inline SimTime scaled(SimTime time, double factor) {
  return factor == 1.0 ? time : rounded(factor * picoseconds(time));
}

}  // namespace cubicbench::sim
