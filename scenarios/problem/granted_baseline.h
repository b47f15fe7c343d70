#pragma once

#include <optional>

#include "scenarios/problem/scenario.h"

namespace cubicbench::scenarios {

/// The baseline as a configuration that a study can begin with. Nothing where it lies outside the
/// space, and of a table of runs that states none: there the plan is the default of every setting,
/// which says nothing, even where the table happens to have it.
std::optional<Configuration> granted_baseline(const Scenario& scenario);

}  // namespace cubicbench::scenarios
