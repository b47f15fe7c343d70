#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "scenarios/space/search_space.h"

namespace cubicbench::scenarios {

/// Parameters whose end a corner can choose; those beyond share the last bit.
inline constexpr std::size_t corner_bits_max = 62;

/// How many corners can be told apart by their bits. Many lead to the same configuration.
inline std::uint64_t corner_count(const SearchSpace& space) {
  return std::uint64_t{1} << std::min(corner_bits_max, space.size());
}

/// Writes the corner where parameter i has the last value that conditions, constraints and the
/// values before it leave if bit i of `ends` is set, and the first if it is not.
inline void corner_at(const SearchSpace& space, std::uint64_t ends,
                      std::span<std::int64_t> configuration) {
  std::vector<std::uint64_t> coordinates(space.size());
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const bool last = (ends >> std::min(i, corner_bits_max - 1) & 1) != 0;
    coordinates[i] = last ? std::numeric_limits<std::uint64_t>::max() : 0;
  }
  space.configuration_along(coordinates, configuration);
}

}  // namespace cubicbench::scenarios
