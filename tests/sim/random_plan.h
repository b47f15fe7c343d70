#pragma once

#include <cstdint>
#include <vector>

#include "sim/plan/plan.h"

namespace cubicbench::sim {

/// The first `count` plans of a fixed mixed-radix walk over the knobs that `check` accepts on
/// 64 GPUs for llama_8b: every axis is visited, in an order that needs no random generator.
std::vector<Plan> assorted_plans(int count);

}  // namespace cubicbench::sim
