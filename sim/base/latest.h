#pragma once

#include <cstdint>

namespace cubicbench::sim {

/// The expectation of the latest of `n` independent delays, in their standard deviations from
/// their mean: the largest of n standard normal numbers. Exact to three digits where n is a power
/// of two up to 1,024; linear in log2 n between those, which is at most 2 % off, and beyond the
/// last as between the last two. Requires n >= 1; one delay gives 0.
double latest_of(std::int64_t n);

}  // namespace cubicbench::sim
