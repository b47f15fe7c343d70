#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace cubicbench::results {

enum class AxisScale {
  linear,
  log10,  ///< ticks at decades, and at 2 and 5 times them where there are few
  log2,   ///< ticks at powers of two
};

/// One axis of a figure.
struct Axis {
  std::string label;
  double min = 0.0;  ///< above 0 on logarithmic scales
  double max = 1.0;  ///< above min
  AxisScale scale = AxisScale::linear;
  /// Values to mark on a logarithmic axis, rising and within it; none: see log_ticks().
  std::vector<double> ticks{};
  bool few = false;     ///< of a short axis: about half as many ticks
  bool numbers = true;  ///< false where those of another axis beside it are read
};

/// 1, 2 or 5 times a power of ten, so that `range` has four to ten steps. Requires range > 0.
double tick_step(double range);

/// The marked values of a logarithmic axis, all within it, at most fourteen: of more every second,
/// third or so on. Those it asks for, else powers of two, or decades, when there are fewer than
/// three of them with 2 and 5 times each.
std::vector<double> log_ticks(const Axis& axis);

/// Characters of the longest number beside the axis.
std::size_t longest_tick(const Axis& axis);

/// A logarithmic axis that holds all of `values` with a margin on both sides. Values that are not
/// above zero have no place on it and are passed over. Of no value: from 1 to 10.
Axis log_axis(std::string label, std::span<const double> values, AxisScale scale);

/// A linear axis that holds all of `values` with a margin, from and to a tick.
Axis linear_axis(std::string label, std::span<const double> values);

/// The script's lines on the range and the ticks of the axis that gnuplot calls `name`, 'x' or 'y'.
/// `low` is where the axis begins, at or below its first tick.
std::string axis_script(char name, const Axis& axis, double low);

}  // namespace cubicbench::results
