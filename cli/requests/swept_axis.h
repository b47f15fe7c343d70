#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "results/sweep/sweep.h"

namespace cubicbench::cli {

/// Most points of a sweep: more than anybody looks at. `enumerate --table` values whole spaces.
inline constexpr std::uint64_t sweep_points_max = 100'000;

/// Reads NAME=VALUES, values and ranges of integers between commas: "1,2,4", "1..8" (all of them),
/// "8..64+8" (in steps of 8), "1..64*2" (each twice the last one). A text with ".." and without a
/// '/', which only a path has, is a range. Throws InputError at "--set TEXT".
results::SweepAxis swept_axis(const std::string& text, const std::string& where);

/// Throws InputError where the axes have more points than a sweep may have.
void check_points(const std::vector<results::SweepAxis>& axes);

}  // namespace cubicbench::cli
