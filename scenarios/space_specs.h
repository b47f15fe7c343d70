#pragma once

#include <vector>

#include "scenarios/search_space.h"

namespace cubicbench::scenarios {

/// What a space could be built from anew, with other constraints or layers: the parameters and
/// constraints that it was built from. Not that a space is a list.
std::vector<ParameterSpec> parameter_specs(const SearchSpace& space);
std::vector<ConstraintSpec> constraint_specs(const SearchSpace& space);

}  // namespace cubicbench::scenarios
