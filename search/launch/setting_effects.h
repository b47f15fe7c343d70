#pragma once

#include "scenarios/space/setting.h"
#include "search/launch/plan_facts.h"

namespace cubicbench::search {

/// Does it matter to a plan which value the setting has? `virtual_stages` does not without an
/// interleaved schedule, `wrap` does not where no weights are gathered [search/effects/]. What does
/// not matter is asked of no program.
bool has_effect(const scenarios::Setting& setting, const PlanFacts& facts);

}  // namespace cubicbench::search
