#include "results/document/axis.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "results/document/number_text.h"
#include "sim/base/check.h"
#include "sim/base/numeric.h"
#include "support/json/canonical.h"

namespace cubicbench::results {
namespace {

using support::shortest;

/// Powers of `base` in [min, max], as exact as repeated multiplication and division leave them.
std::vector<double> powers_within(double base, double min, double max) {
  double power = 1.0;
  while (power > min) power /= base;
  while (power < min) power *= base;
  std::vector<double> powers;
  for (; power <= max; power *= base) powers.push_back(power);
  return powers;
}

std::vector<double> decade_ticks(const Axis& axis) {
  std::vector<double> ticks = powers_within(10.0, axis.min, axis.max);
  constexpr std::size_t few = 3;
  if (ticks.size() >= few) return ticks;
  std::vector<double> finer;
  for (const double decade : powers_within(10.0, axis.min / 10.0, axis.max)) {
    for (const double multiple : {1.0, 2.0, 5.0}) {
      const double tick = multiple * decade;
      if (tick >= axis.min && tick <= axis.max) finer.push_back(tick);
    }
  }
  return finer;
}

/// Every k-th, from the first on.
std::vector<double> thinned(const std::vector<double>& ticks, std::size_t most) {
  const std::size_t step = (ticks.size() + most - 1) / most;
  if (step <= 1) return ticks;
  std::vector<double> kept;
  for (std::size_t i = 0; i < ticks.size(); i += step) kept.push_back(ticks[i]);
  return kept;
}

/// "16,384", "0.25", "1e-06".
std::string tick_text(double value) {
  constexpr double whole_max = 1e6;
  if (value >= 1.0 && value < whole_max && value == std::floor(value)) {
    return grouped(static_cast<std::uint64_t>(value));
  }
  // Powers that are repeated products miss their decimal form in the last digits.
  std::array<char, 32> text{};
  constexpr int digits = 6;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value,
                                 std::chars_format::general, digits);
  return {text.data(), end.ptr};
}

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
};

Range range_of(std::span<const double> values, double above) {
  Range range;
  for (const double value : values) {
    if (!(value > above) || !std::isfinite(value)) continue;
    range.low = std::min(range.low, value);
    range.high = std::max(range.high, value);
  }
  return range;
}

}  // namespace

double tick_step(double range) {
  SIM_ASSERT(range > 0.0 && std::isfinite(range), range);
  double step = 1.0;
  while (step * 10.0 > range) step /= 10.0;
  while (step * 100.0 <= range) step *= 10.0;
  // Now 10 <= range / step < 100 up to rounding.
  const double steps = range / step;
  if (steps > 50.0) return 10.0 * step;
  if (steps > 20.0) return 5.0 * step;
  return 2.0 * step;
}

std::vector<double> log_ticks(const Axis& axis) {
  SIM_ASSERT(axis.min > 0.0 && axis.max > axis.min, axis.min, axis.max);
  constexpr std::size_t most = 14;
  if (!axis.ticks.empty()) return thinned(axis.ticks, most);
  return thinned(
      axis.scale == AxisScale::log2 ? powers_within(2.0, axis.min, axis.max) : decade_ticks(axis),
      most);
}

Axis log_axis(std::string label, std::span<const double> values, AxisScale scale) {
  SIM_ASSERT(scale != AxisScale::linear, static_cast<int>(scale));
  const Range range = range_of(values, 0.0);
  Axis axis{.label = std::move(label), .min = 1.0, .max = 10.0, .scale = scale};
  if (range.low > range.high) return axis;
  // A twentieth of its length on either side, at least a fifth of an octave: one value is no range.
  const double ratio = range.high / range.low;
  const double margin = std::max(sim::pow(ratio, 0.05), sim::exp2(0.2));
  axis.min = range.low / margin;
  axis.max = range.high * margin;
  return axis;
}

Axis linear_axis(std::string label, std::span<const double> values) {
  const Range range = range_of(values, -std::numeric_limits<double>::infinity());
  Axis axis{.label = std::move(label)};
  if (range.low > range.high) return axis;
  const double length =
      range.high > range.low ? range.high - range.low : std::max(1e-9, std::fabs(range.high));
  axis.min = range.low - 0.03 * length;
  axis.max = range.high + 0.03 * length;
  // Rounding to ticks may lengthen the axis into the next step, once.
  for (int i = 0; i < 2; ++i) {
    const double step = tick_step(axis.max - axis.min);
    axis.min = std::floor(axis.min / step) * step;
    axis.max = std::ceil(axis.max / step) * step;
  }
  return axis;
}

std::string axis_script(char name, const Axis& axis, double low) {
  const std::string x(1, name);
  std::string text = "set " + x + "range [" + shortest(low) + ":" + shortest(axis.max) + "]\n";
  if (axis.scale == AxisScale::linear) {
    return text + "set " + x + "tics " + shortest(axis.min) + "," +
           shortest(tick_step(axis.max - axis.min)) + " nomirror\n";
  }
  text += "set logscale " + x + (axis.scale == AxisScale::log2 ? " 2" : " 10") + "\nset " + x +
          "tics (";
  const char* separator = "";
  for (const double tick : log_ticks(axis)) {
    text += separator + ("'" + tick_text(tick)) + "' " + shortest(tick);
    separator = ",";
  }
  return text + ") nomirror\n";
}

}  // namespace cubicbench::results
