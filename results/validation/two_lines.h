#pragma once

#include <optional>
#include <span>

namespace cubicbench::results {

/// Time of one message size.
struct SizedTime {
  double size = 0.0;  ///< bytes, above zero
  double time = 0.0;  ///< in any unit, above zero
};

/// start + size * per_byte, neither negative.
struct StartedLine {
  double start = 0.0;
  double per_byte = 0.0;
};

/// The lesser of two lines: one that starts sooner, and one that costs less a byte.
struct TwoLines {
  StartedLine low, high;
  double crossing = 0.0;   ///< size at which they meet, bytes
  double error = 0.0;      ///< sum of the squared logarithms of (lines / time)
  double error_one = 0.0;  ///< of the best single line instead
};

/// Fits a curve by two regimes: for every way to cut it in two, a line to each part by least
/// squares of relative errors, and of all cuts the one whose lesser line is nearest to all points.
/// Nothing where the upper part never is the cheaper a byte and dearer to start. Requires points
/// sorted by size, no size twice; three on either side of a cut.
std::optional<TwoLines> fit_two_lines(std::span<const SizedTime> curve);

}  // namespace cubicbench::results
