#pragma once

#include <string>

#include "results/landscape/scenario_landscape.h"

namespace cubicbench::results {

/// A landscape for a terminal.
std::string landscape_text(const ScenarioLandscape& of);

}  // namespace cubicbench::results
