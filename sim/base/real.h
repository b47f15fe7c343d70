#pragma once

#include <bit>
#include <cstdint>

namespace cubicbench::sim {

/// A count as a factor of a formula: exact below 2^53.
constexpr double real(std::int64_t count) { return static_cast<double>(count); }

/// ceil(log2 count), of 0 or 1 nothing: how often one doubles to reach `count`.
constexpr double doublings(std::int64_t count) {
  return count < 2 ? 0.0
                   : static_cast<double>(std::bit_width(static_cast<std::uint64_t>(count - 1)));
}

}  // namespace cubicbench::sim
