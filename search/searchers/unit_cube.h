#pragma once

#include <span>
#include <vector>

#include "scenarios/space/search_space.h"
#include "search/searchers/random_stream.h"

namespace cubicbench::search {

/// The cube [0, 1)^n over a space of n parameters, in which each coordinate is cut into as many
/// equal parts as its parameter has values.

/// A uniform point of the cell of a configuration. A coordinate of an inactive parameter is
/// uniform.
std::vector<double> point_of(const scenarios::SearchSpace& space,
                             const scenarios::Configuration& config, RandomStream& random);

/// The values at a point, inactive parameters marked; constraints may reject them. Requires a point
/// of the cube.
scenarios::Configuration configuration_at(const scenarios::SearchSpace& space,
                                          std::span<const double> point);

}  // namespace cubicbench::search
