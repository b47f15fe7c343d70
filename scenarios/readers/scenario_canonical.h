#pragma once

#include <string>

#include "scenarios/problem/scenario.h"
#include "scenarios/space/search_space.h"

namespace cubicbench::scenarios {

/// The canonical form that `scenario_sha256` is taken of: the problem in SI units with library
/// entries in place of their names and every default filled in. Prose (summaries, sources) is left
/// out: it changes no result. `baseline` is the file's, before any override of a setting.
std::string canonical_text(const Scenario& scenario, const sim::Plan& baseline);

}  // namespace cubicbench::scenarios
