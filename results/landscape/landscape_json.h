#pragma once

#include <nlohmann/json_fwd.hpp>

#include "results/landscape/scenario_landscape.h"

namespace cubicbench::results {

/// One entry of the list "landscapes" of the document that `landscape --json` prints
/// (docs/landscape.md).
nlohmann::ordered_json landscape_json(const ScenarioLandscape& of);

}  // namespace cubicbench::results
