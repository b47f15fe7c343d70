#pragma once

#include <cstddef>
#include <vector>

#include "scenarios/space/search_space.h"
#include "search/searchers/random_stream.h"

namespace cubicbench::search {

/// Up to `pairs` configurations that differ from `centre` in two knobs, drawn from all of them, and
/// then all that differ in one.
std::vector<scenarios::Configuration> neighbourhood(const scenarios::SearchSpace& space,
                                                    const scenarios::Configuration& centre,
                                                    std::size_t pairs, RandomStream& random);

}  // namespace cubicbench::search
