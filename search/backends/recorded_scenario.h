#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "scenarios/problem/scenario.h"

namespace cubicbench::search {

/// A scenario as the launches of an earlier search play it again. Its space is the set of
/// configurations that studies of this scenario (scenario_sha256) and instance launched whole, as
/// that of a table is the set of its rows, and Scenario::measured has what came of them: the
/// launches of each configuration in the order of the journals' names and of their lines. Of a
/// backend that repeats itself, equal attempts are one launch, however many studies made it.
///
/// Proposals outside the space and short launches are left out. Throws InputError, at the folder,
/// where it is no folder of a search or has no such launch, and for damaged journals.
scenarios::Scenario recorded_scenario(const scenarios::Scenario& scenario, std::uint64_t instance,
                                      const std::filesystem::path& folder);

/// SHA-256 of the scenario's, the instance and everything that was recorded: what stands as
/// truth_sha256 where it is played, so that a folder that has changed is another problem. Requires
/// a scenario of the above.
std::string recorded_sha256(const scenarios::Scenario& played, std::uint64_t instance);

}  // namespace cubicbench::search
