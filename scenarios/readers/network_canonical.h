#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sim/hardware/network.h"

namespace cubicbench::scenarios {

/// What is hashed of a network: every number that costs depend on, under the names that files have,
/// and no names of files.
nlohmann::ordered_json canonical_json(const sim::Network& network);

}  // namespace cubicbench::scenarios
