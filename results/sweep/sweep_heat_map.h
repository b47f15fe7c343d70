#pragma once

#include <vector>

#include "results/document/document.h"
#include "results/sweep/sweep.h"

namespace cubicbench::results {

/// The objective and the memory of every point of two axes that vary, the first of them down; what
/// does not run is hatched. None for another number of axes, or more than 100 values of one.
std::vector<Picture> sweep_heat_maps(const Sweep& sweep);

}  // namespace cubicbench::results
