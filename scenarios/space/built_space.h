#pragma once

#include "scenarios/space/built_diagram.h"
#include "scenarios/space/resolved_rules.h"
#include "scenarios/space/search_space.h"

namespace cubicbench::scenarios {

/// The space of these rules and their diagram, with the problems of both.
BuiltSpace built_space(ResolvedRules resolved, BuiltDiagram built);

}  // namespace cubicbench::scenarios
