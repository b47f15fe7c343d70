#pragma once

#include <optional>
#include <vector>

#include "results/studies/study_set.h"
#include "scenarios/problem/scenario.h"

namespace cubicbench::results {

/// The scenario of the study from the library; nothing when the library has none of its name or
/// another one (scenario_sha256).
std::optional<scenarios::Scenario> library_scenario(const StudyResult& study);

/// What each launch of the study is worth without noise, in their order; nothing where that is not
/// known. It is what the study's truth file says. A table of runs has no such file: the worth of a
/// configuration is the mean over its runs that ended (TrueValues), known where the table ships.
std::vector<std::optional<scenarios::TrueValue>> launch_truths(const StudyResult& study);

}  // namespace cubicbench::results
