#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/space/search_space.h"

namespace cubicbench::scenarios {

/// For each constraint, in order, how many assignments it is the first to reject. An assignment
/// gives every active parameter one of its values; those of inactive ones are no part of it. Their
/// number is that of the configurations plus all that is rejected.
///
/// With D(c) the assignments that the first c constraints allow, constraint c rejects
/// D(c) - D(c + 1): each is counted by a decision diagram, and none is looked at one by one. Throws
/// InputError, at `where`, if that takes too large a diagram or more than 2^64 are counted.
std::vector<std::pair<std::string, std::uint64_t>> rejected_by(const SearchSpace& space,
                                                               const std::string& where);

}  // namespace cubicbench::scenarios
