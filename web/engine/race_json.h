#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "web/engine/race.h"

namespace cubicbench::web {

/// The answers to race_begin and race_step (web/engine/README.md).
nlohmann::ordered_json begun_json(const Race& race);
nlohmann::ordered_json step_json(const Race& race,
                                 const std::vector<std::vector<RacedLaunch>>& ended);

}  // namespace cubicbench::web
