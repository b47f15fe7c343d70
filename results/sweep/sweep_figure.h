#pragma once

#include <vector>

#include "results/document/document.h"
#include "results/sweep/sweep.h"

namespace cubicbench::results {

/// The objective and the memory of every point over the first axis that varies, a line per value of
/// the others together; what does not run is marked below by its reason. None where no axis varies,
/// or the lines would be more than can be told apart.
std::vector<Drawing> sweep_drawings(const Sweep& sweep);

}  // namespace cubicbench::results
