#pragma once

#include <cstdint>

namespace cubicbench::sim {

/// A count as a factor of a formula: exact below 2^53.
constexpr double real(std::int64_t count) { return static_cast<double>(count); }

}  // namespace cubicbench::sim
