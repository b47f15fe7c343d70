#pragma once

#include <cstdint>

#include "sim/base/philox.h"

namespace cubicbench::sim {

/// Random choices one after the other: those of one seed are the same everywhere.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : seed_(seed) {}

  /// 0 to n - 1.
  std::int64_t below(std::int64_t n) {
    return static_cast<std::int64_t>(
        uniform_below({.seed = seed_, .draw = next_++}, static_cast<std::uint64_t>(n)));
  }
  /// 0 to 1.
  double share() { return uniform({.seed = seed_, .draw = next_++}); }
  /// Once in n.
  bool once_in(std::int64_t n) { return below(n) == 0; }

 private:
  std::uint64_t seed_;
  std::uint32_t next_ = 0;
};

}  // namespace cubicbench::sim
