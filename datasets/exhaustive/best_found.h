#pragma once

#include <cstdint>
#include <vector>

#include "datasets/exhaustive/enumeration.h"
#include "scenarios/problem/scenario.h"

namespace cubicbench::datasets {

/// Is `a` strictly better than `b`?
inline bool is_better(double a, double b, scenarios::Direction direction) {
  return direction == scenarios::Direction::maximize ? a > b : a < b;
}

/// The best value met so far, how often, and the lowest numbers of configurations that have it. The
/// same whatever the order in which they are met.
struct BestFound {
  double value = 0.0;
  std::uint64_t count = 0;             ///< 0: none yet
  std::vector<std::uint64_t> numbers;  ///< ascending, at most `optima_listed_max`

  bool operator==(const BestFound&) const = default;

  void add(double found, std::uint64_t number, scenarios::Direction direction) {
    if (count > 0 && is_better(value, found, direction)) return;
    if (count > 0 && found == value) {
      ++count;
      if (numbers.size() < optima_listed_max || number < numbers.back()) list(number);
      return;
    }
    value = found;
    count = 1;
    numbers.assign(1, number);
  }

  /// Adds what was found among other configurations.
  void add(const BestFound& other, scenarios::Direction direction);

  /// Puts a number in its place.
  void list(std::uint64_t number);
};

}  // namespace cubicbench::datasets
