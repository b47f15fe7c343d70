#pragma once

#include <vector>

#include "scenarios/space/search_space.h"
#include "sim/plan/plan.h"

namespace cubicbench::scenarios {

/// Which parameters of `space` the values of `plan` activate, whether or not those values are in
/// the space. One entry a parameter.
std::vector<bool> active_parameters(const SearchSpace& space, const sim::Plan& plan);

}  // namespace cubicbench::scenarios
