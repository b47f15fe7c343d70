#pragma once

#include <cstdint>
#include <vector>

#include "scenarios/space/search_space.h"

namespace cubicbench::results {

/// The configurations that differ from configuration `number` in the values of up to `changes`
/// parameters, without itself, in rising order. Parameters that a change makes active take their
/// first value, those that it makes inactive lose theirs; the next change may be of the former.
/// What a constraint rejects between two changes may be passed through. Requires number < count().
std::vector<std::uint64_t> neighbours(const scenarios::SearchSpace& space, std::uint64_t number,
                                      int changes);

}  // namespace cubicbench::results
