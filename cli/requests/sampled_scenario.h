#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/problem/scenario.h"

namespace cubicbench::cli {

/// The scenario that is asked for, sealed by a salt where there is one, for those who value
/// configurations that nobody listed. Throws InputError for a table of runs and for a space without
/// a configuration too.
scenarios::Scenario sampled_scenario(const std::string& name, const std::vector<std::string>& sets,
                                     const std::optional<std::string>& salt,
                                     std::uint64_t instance);

}  // namespace cubicbench::cli
