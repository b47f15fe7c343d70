#pragma once

#include <cstddef>
#include <vector>

#include "scenarios/space/space_dependencies.h"

namespace cubicbench::scenarios {

/// In which order a diagram decides parameters, and numbers follow: so that the diagram is small,
/// or as they are listed.
enum class LayerOrder { narrow, listed };

/// Every parameter once, parents first. `narrow` goes component by component of those that
/// conditions and constraints join, in each the parameter next that leaves the frontier with the
/// fewest assignments; of equals the first listed.
std::vector<std::size_t> layer_order(const SpaceDependencies& dependencies, LayerOrder order);

}  // namespace cubicbench::scenarios
