#pragma once

#include <nlohmann/json_fwd.hpp>

#include "results/regret/known_spaces.h"
#include "results/studies/searcher_curves.h"

namespace cubicbench::results {

/// `problems` of `report --json`: every scenario and instance of the set with its optimum, or why
/// it is not known, and a row of series_fields() per series.
nlohmann::ordered_json regret_json(const StudySet& set, const KnownSpaces& spaces,
                                   const CurveOptions& options);

}  // namespace cubicbench::results
