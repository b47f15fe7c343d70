#pragma once

namespace cubicbench::support {

/// Numbers that are read are zero or of a magnitude between these: what lies beyond is no quantity
/// that anybody measures, and sums, squares and quotients of what lies within stay finite.
inline constexpr double magnitude_min = 1e-100;
inline constexpr double magnitude_max = 1e100;

/// As messages name it.
inline constexpr const char* magnitude_range = "a magnitude from 1e-100 to 1e+100";

constexpr bool is_of_readable_magnitude(double number) {
  const double magnitude = number < 0.0 ? -number : number;
  return magnitude == 0.0 || (magnitude >= magnitude_min && magnitude <= magnitude_max);
}

}  // namespace cubicbench::support
