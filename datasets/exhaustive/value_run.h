#pragma once

#include <bit>
#include <cstdint>

namespace cubicbench::datasets {

/// A value and how many configurations have it.
struct ValueRun {
  double value = 0.0;
  std::uint64_t count = 0;

  bool operator==(const ValueRun&) const = default;
};

/// A whole number that ascends with the value, for values that are no NaN and no -0.
inline std::uint64_t ordered_bits(double value) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return (bits & sign) != 0 ? ~bits : bits | sign;
}

/// Inverse of `ordered_bits`.
inline double value_of_bits(std::uint64_t ordered) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  return std::bit_cast<double>((ordered & sign) != 0 ? ordered & ~sign : ~ordered);
}

}  // namespace cubicbench::datasets
