#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "scenarios/truth/instance.h"

namespace cubicbench::datasets {

/// The noise-free values of the configurations of a space by their numbers, one a number, in order.
using Judge = std::function<std::vector<scenarios::TrueValue>(std::span<const std::uint64_t>)>;

/// Asks `instance`, which must outlive the judge, on up to `threads` threads (0: all cores).
Judge truth_judge(const scenarios::Instance& instance, int threads);

}  // namespace cubicbench::datasets
