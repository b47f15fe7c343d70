#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "datasets/landscape/landscape.h"
#include "results/studies/study_commands.h"
#include "scenarios/truth/instance.h"

namespace cubicbench::results {

/// The landscape of a scenario under the hidden constants of one instance.
struct ScenarioLandscape {
  scenarios::Scenario scenario;  ///< with the constants of the instance
  std::string truth_sha256;
  scenarios::TrueValue baseline;
  AskedProblem asked;  ///< how the scenario was asked for
  datasets::Landscape landscape;
};

/// A scenario and how it was asked for.
struct AskedScenario {
  std::string asked;
  std::vector<std::string> sets{};
  scenarios::Scenario scenario;
};

/// Draws `rows` configurations on up to `threads` threads (0: all cores), which change nothing of
/// the answer. Requires a scenario with a model and with a configuration.
ScenarioLandscape scenario_landscape(const AskedScenario& asked, std::uint64_t instance,
                                     std::uint64_t rows, int threads);

}  // namespace cubicbench::results
