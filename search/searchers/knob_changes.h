#pragma once

#include <cstddef>
#include <vector>

#include "scenarios/space/search_space.h"

namespace cubicbench::search {

/// The configurations that have another value of one active parameter, in the order of its values;
/// those that a constraint rejects are left out. Parameters that the change makes active have their
/// value in `home`, where they are active there, else their first. Requires configurations of the
/// space.
std::vector<scenarios::Configuration> knob_changes(const scenarios::SearchSpace& space,
                                                   const scenarios::Configuration& from,
                                                   std::size_t parameter,
                                                   const scenarios::Configuration& home);

}  // namespace cubicbench::search
