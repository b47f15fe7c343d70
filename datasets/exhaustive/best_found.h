#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
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
  void add(const BestFound& other, scenarios::Direction direction) {
    if (other.count == 0 || (count > 0 && is_better(value, other.value, direction))) return;
    if (count == 0 || other.value != value) {
      *this = other;
      return;
    }
    count += other.count;
    for (const std::uint64_t number : other.numbers) list(number);
  }

  /// Puts a number in its place.
  void list(std::uint64_t number) {
    numbers.insert(std::upper_bound(numbers.begin(), numbers.end(), number), number);
    if (numbers.size() > optima_listed_max) numbers.pop_back();
  }
};

/// How good a value is known to be reached, for those who leave out what cannot reach it.
struct KnownValue {
  scenarios::Direction direction;
  double value;  ///< the worst infinity if none is known

  /// Nothing is known yet.
  explicit KnownValue(scenarios::Direction better) : direction(better), value(worst(better)) {}

  static double worst(scenarios::Direction direction) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return direction == scenarios::Direction::maximize ? -infinity : infinity;
  }

  /// May a part with this bound hold what is at least as good?
  bool hopeful(double bound) const {
    return bound != worst(direction) && !is_better(value, bound, direction);
  }
};

}  // namespace cubicbench::datasets
