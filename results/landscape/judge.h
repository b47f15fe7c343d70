#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "scenarios/truth/instance.h"

namespace cubicbench::results {

/// The noise-free values of the configurations of a space by their numbers, one a number, in order.
using Judge = std::function<std::vector<scenarios::TrueValue>(std::span<const std::uint64_t>)>;

}  // namespace cubicbench::results
