#pragma once

#include <vector>

#include "scenarios/space/search_space.h"

namespace cubicbench::scenarios {

/// The space of exactly these configurations, those that are there twice taken once, such as a
/// table of runs or an earlier search has them. Everything that a SearchSpace promises holds:
/// numbers follow the order of the values' indices, draws are uniform, and what is not in the list
/// is outside, although the space has no constraint that says so; first_violated() is 0 then.
///
/// Requires configurations with an index for each parameter that is active by its conditions, and
/// `inactive` for the others. Problems are those of SearchSpace::build().
BuiltSpace listed_space(const std::vector<ParameterSpec>& parameters,
                        std::vector<Configuration> configurations, const sim::Plan& base,
                        const SpaceFacts& facts);

/// Is the space a list? It has no constraint, and fewer configurations than its parameters and
/// their conditions allow.
bool is_listed(const SearchSpace& space);

}  // namespace cubicbench::scenarios
