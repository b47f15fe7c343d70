#pragma once

#include <compare>
#include <cstdint>

#include "sim/base/philox.h"

namespace cubicbench::sim {

/// What stands for a list or a set of words in comparisons. Two words, so that two signatures that
/// differ are as good as never alike: about once in 2^100 pairs.
struct Signature {
  std::uint64_t a = 0;
  std::uint64_t b = 0;

  auto operator<=>(const Signature&) const = default;

  void follow(std::uint64_t word) {
    a = mix(a + word);
    b = mix(b ^ (word * 0x9E3779B97F4A7C15U));
  }
  /// In any order.
  void add(const Signature& other) {
    a += other.a;
    b += other.b;
  }
};

inline Signature signature_of(std::uint64_t first, std::uint64_t second = 0) {
  Signature signature;
  signature.follow(first);
  signature.follow(second);
  return signature;
}

}  // namespace cubicbench::sim
