#pragma once

#include <optional>

#include "scenarios/space/search_space.h"
#include "search/searchers/random_stream.h"

namespace cubicbench::search {

/// A child of two configurations: each parameter has the value of one parent, either as likely. If
/// that one is inactive, it has the other's, and where it is inactive in both a uniform one.
/// Nothing where a constraint rejects the child. Requires configurations of the space.
std::optional<scenarios::Configuration> crossed(const scenarios::SearchSpace& space,
                                                const scenarios::Configuration& mother,
                                                const scenarios::Configuration& father,
                                                RandomStream& random);

}  // namespace cubicbench::search
