#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "results/document/document.h"
#include "results/landscape/scenario_landscape.h"

namespace cubicbench::results {

/// What `landscape` says of each of them, after a table of all where there are several.
Document landscape_document(std::span<const ScenarioLandscape> landscapes);

/// One entry of the list "landscapes" of the document that `landscape --json` prints
/// (docs/landscape.md).
nlohmann::ordered_json landscape_json(const ScenarioLandscape& of);

}  // namespace cubicbench::results
