#include "results/document/axis.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "results/document/number_text.h"
#include "sim/base/check.h"
#include "sim/base/numeric.h"
#include "support/joined.h"
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
  constexpr std::size_t few = 3;
  std::vector<double> ticks = powers_within(10.0, axis.min, axis.max);
  if (ticks.size() >= few) return ticks;
  std::vector<double> finer;
  for (const double decade : powers_within(10.0, axis.min / 10.0, axis.max)) {
    for (const double multiple : {1.0, 2.0, 5.0}) {
      const double tick = multiple * decade;
      if (tick >= axis.min && tick <= axis.max) finer.push_back(tick);
    }
  }
  if (finer.size() >= few) return finer;
  // Less than a decade: as on a linear axis.
  std::vector<double> even;
  const double step = tick_step(axis.max - axis.min);
  for (double at = std::ceil(axis.min / step); at * step <= axis.max; at += 1.0) {
    even.push_back(at * step);
  }
  return even;
}

/// All that may be marked on a logarithmic axis.
std::vector<double> all_ticks(const Axis& axis) {
  if (!axis.ticks.empty()) return axis.ticks;
  return axis.scale == AxisScale::log2 ? powers_within(2.0, axis.min, axis.max)
                                       : decade_ticks(axis);
}

/// "16,384", "2 M", "0.25", "1e-06".
std::string tick_text(double value) {
  constexpr double whole_max = 1e6;
  if (value >= 1.0 && value < whole_max && value == std::floor(value)) {
    return grouped(static_cast<std::uint64_t>(value));
  }
  constexpr std::pair<double, const char*> units[] = {{1e12, " T"}, {1e9, " G"}, {1e6, " M"}};
  for (const auto& [size, letter] : units) {
    if (value >= size) return formatted(value / size, std::chars_format::general, 6) + letter;
  }
  // Powers that are repeated products miss their decimal form in the last digits.
  return formatted(value, std::chars_format::general, 6);
}

/// Ticks that are as far apart on a logarithmic axis as numbers on a short one need.
std::vector<double> spaced(const std::vector<double>& ticks, const Axis& axis) {
  constexpr double apart = 0.17;  // of the axis
  const double least = sim::pow(axis.max / axis.min, apart);
  std::vector<double> kept;
  for (const double tick : ticks) {
    if (kept.empty() || tick >= least * kept.back()) kept.push_back(tick);
  }
  return kept;
}

double linear_step(const Axis& axis) {
  return tick_step((axis.few ? 2.0 : 1.0) * (axis.max - axis.min));
}

/// Of a short axis, which may begin anywhere, the first that is a multiple of the step.
double first_tick(const Axis& axis) {
  const double step = linear_step(axis);
  return axis.few ? std::ceil(axis.min / step) * step + 0.0 : axis.min;  // not -0
}

/// The least and the greatest of the finite values above `above`; nothing of none.
std::optional<std::ranges::minmax_result<double>> range_of(std::span<const double> values,
                                                           double above) {
  std::vector<double> shown;
  std::ranges::copy_if(values, std::back_inserter(shown),
                       [&](double value) { return value > above && std::isfinite(value); });
  if (shown.empty()) return std::nullopt;
  return std::ranges::minmax(shown);
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
  const std::vector<double> ticks = axis.few ? spaced(all_ticks(axis), axis) : all_ticks(axis);
  const std::size_t step = (ticks.size() + most - 1) / most;
  std::vector<double> kept;
  for (std::size_t i = 0; i < ticks.size(); i += step) kept.push_back(ticks[i]);
  return kept;
}

std::size_t longest_tick(const Axis& axis) {
  std::size_t longest = 1;
  if (axis.scale != AxisScale::linear) {
    for (const double tick : log_ticks(axis)) longest = std::max(longest, tick_text(tick).size());
    return longest;
  }
  const double step = linear_step(axis);
  for (double at = first_tick(axis); at <= axis.max; at += step) {
    longest = std::max(longest, formatted(at, std::chars_format::general, 6).size());
  }
  return longest;
}

Axis log_axis(std::string label, std::span<const double> values, AxisScale scale) {
  SIM_ASSERT(scale != AxisScale::linear, static_cast<int>(scale));
  Axis axis{.label = std::move(label), .min = 1.0, .max = 10.0, .scale = scale};
  if (const auto range = range_of(values, 0.0)) {
    // A twentieth of its length on either side, at least a fifth of an octave: one value has none.
    const double margin = std::max(sim::pow(range->max / range->min, 0.05), sim::exp2(0.2));
    axis.min = range->min / margin;
    axis.max = range->max * margin;
  }
  return axis;
}

Axis linear_axis(std::string label, std::span<const double> values) {
  Axis axis{.label = std::move(label)};
  const auto range = range_of(values, -std::numeric_limits<double>::infinity());
  if (!range) return axis;
  const auto [low, high] = *range;
  const double length = high > low ? high - low : std::max(1e-9, std::fabs(high));
  axis.min = low - 0.03 * length;
  axis.max = high + 0.03 * length;
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
    return text + "set " + x + "tics " + shortest(first_tick(axis)) + "," +
           shortest(linear_step(axis)) + " nomirror" + (axis.numbers ? "\n" : " format ''\n");
  }
  text += "set logscale " + x + (axis.scale == AxisScale::log2 ? " 2" : " 10") + "\nset " + x +
          "tics (";
  std::vector<std::string> ticks;
  for (const double tick : log_ticks(axis)) {
    ticks.push_back("'" + (axis.numbers ? tick_text(tick) : "") + "' " + shortest(tick));
  }
  return text + support::joined(ticks, ",") + ") nomirror\n";
}

}  // namespace cubicbench::results
