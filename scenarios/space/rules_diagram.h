#pragma once

#include "scenarios/space/space_dependencies.h"
#include "scenarios/space/space_diagram.h"
#include "scenarios/space/space_rules.h"

namespace cubicbench::scenarios {

/// The diagram of everything that `rules` allow, built layer by layer. There is none where
/// conditions and constraints join so much that it would be too large, or where there are 2^64
/// configurations or more.
BuiltDiagram rules_diagram(const SpaceRules& rules, LayerOrder order);

}  // namespace cubicbench::scenarios
