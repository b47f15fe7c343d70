#pragma once

#include <cstdint>
#include <vector>

namespace cubicbench::scenarios {

/// A point of a search space: for each parameter the index of its value, or `inactive`.
using Configuration = std::vector<std::int64_t>;
inline constexpr std::int64_t inactive = -1;

}  // namespace cubicbench::scenarios
