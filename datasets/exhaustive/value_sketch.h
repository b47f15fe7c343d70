#pragma once

#include <bit>
#include <cstdint>
#include <optional>

#include "datasets/exhaustive/best_found.h"
#include "scenarios/problem/scenario.h"

namespace cubicbench::datasets {

/// Rounds values so that few distinct ones remain, whatever the size of the space: of a value's
/// binary digits the first `digits` behind the leading one are kept, and the rest is rounded to the
/// worse. There are 2^digits results per factor of two.
///
/// A function of the value alone, so counts of rounded values add up to the same sum in any order.
/// It never swaps two values, so a quantile of rounded values is the rounded quantile. Values
/// strictly better than the baseline stay so: how many there are is exact.
class ValueSketch {
 public:
  static constexpr int digits = 12;
  /// By less than this much, of its own size, a value becomes worse.
  static constexpr double relative_error = 1.0 / (1 << digits);

  ValueSketch(scenarios::Direction direction, std::optional<double> baseline)
      : direction_(direction), baseline_(baseline) {}

  /// Requires a value of at least 0.
  double operator()(double value) const {
    const double rounded = to_worse(value);
    if (!baseline_ || !is_better(value, *baseline_, direction_) ||
        is_better(rounded, *baseline_, direction_)) {
      return rounded;
    }
    return just_better(*baseline_);
  }

 private:
  static constexpr std::uint64_t step = std::uint64_t{1} << (52 - digits);

  bool maximize() const { return direction_ == scenarios::Direction::maximize; }

  double to_worse(double value) const {
    const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);  // of -0 makes 0
    const std::uint64_t more = maximize() ? 0 : step - 1;
    return std::bit_cast<double>((bits + more) & ~(step - 1));
  }

  /// The next number that is better, which exists: some value is better than the baseline.
  double just_better(double value) const {
    const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
    return std::bit_cast<double>(maximize() ? bits + 1 : bits - 1);
  }

  scenarios::Direction direction_;
  std::optional<double> baseline_;
};

}  // namespace cubicbench::datasets
