#pragma once

namespace cubicbench::results {

/// In what the numbers beside an axis are counted, so that they stay short.
struct AxisUnit {
  double size = 1.0;
  const char* ending = "";  ///< behind the axis' name
};

constexpr AxisUnit axis_unit(double greatest) {
  if (greatest >= 1e6) return {.size = 1e6, .ending = ", millions"};
  if (greatest >= 1e4) return {.size = 1e3, .ending = ", thousands"};
  return {};
}

}  // namespace cubicbench::results
