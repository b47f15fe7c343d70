#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scenarios/space/search_space.h"

namespace cubicbench::search {

/// Setting names and values, values as compact JSON: `8`, `true`, `"full_shard"`.
using ConfigText = std::vector<std::pair<std::string, std::string>>;

/// The active parameters of a configuration. Of one that is not in the space, the entries that name
/// a value: for records of what was proposed.
ConfigText config_text(const scenarios::SearchSpace& space, const scenarios::Configuration& config);

}  // namespace cubicbench::search
