#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace cubicbench::fuzz {

/// The same throws on every machine.
class Dice {
 public:
  explicit Dice(std::uint32_t seed) : engine_(seed) {}

  /// In {0, ..., n - 1}. Requires n >= 1.
  std::size_t below(std::size_t n) { return engine_() % n; }
  /// True once in `n` throws.
  bool once_in(std::size_t n) { return below(n) == 0; }

  template <class List>
  auto& any(List& list) {
    return list[below(list.size())];
  }

 private:
  std::mt19937 engine_;
};

}  // namespace cubicbench::fuzz
