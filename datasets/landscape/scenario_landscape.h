#pragma once

#include <cstdint>
#include <string>

#include "datasets/landscape/landscape.h"
#include "scenarios/truth/instance.h"

namespace cubicbench::datasets {

/// The landscape of a scenario under the hidden constants of one instance.
struct ScenarioLandscape {
  scenarios::Scenario scenario;  ///< with the constants of the instance
  std::string truth_sha256;
  scenarios::TrueValue baseline;
  Landscape landscape;
};

/// Draws `rows` configurations on up to `threads` threads (0: all cores), which change nothing of
/// the answer. Requires a scenario with a model and with a configuration.
ScenarioLandscape scenario_landscape(const scenarios::Scenario& scenario, std::uint64_t instance,
                                     std::uint64_t rows, int threads);

}  // namespace cubicbench::datasets
