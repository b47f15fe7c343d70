#pragma once

#include <span>

#include "results/document/document.h"
#include "results/landscape/scenario_landscape.h"

namespace cubicbench::results {

/// What `landscape` says of each of them, after a table of all where there are several.
Document landscape_document(std::span<const ScenarioLandscape> landscapes);

}  // namespace cubicbench::results
