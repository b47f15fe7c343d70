#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "results/document/document.h"
#include "results/sweep/sweep.h"

namespace cubicbench::results {

/// A name of files and ids, of letters, digits and '-': "llama3-8b-memory".
std::string stem_of(std::string_view scenario, std::string_view what);

/// The objective and the memory of every point over the first axis that varies, a line per value of
/// the others together; what does not run is marked below by its reason. None where no axis varies,
/// or the lines would be more than can be told apart.
std::vector<Drawing> sweep_drawings(const Sweep& sweep);

}  // namespace cubicbench::results
