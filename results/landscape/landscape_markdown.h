#pragma once

#include <span>
#include <string>

#include "results/landscape/scenario_landscape.h"

namespace cubicbench::results {

/// Landscapes as Markdown: a heading each, one after the other; where there are several, a table
/// with a line a landscape before them.
std::string landscapes_markdown(std::span<const ScenarioLandscape> landscapes);

}  // namespace cubicbench::results
