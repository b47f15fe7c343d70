#include "scenarios/problem/granted_baseline.h"

#include <utility>

namespace cubicbench::scenarios {

std::optional<Configuration> granted_baseline(const Scenario& scenario) {
  if (scenario.measured_baseline) return scenario.measured_baseline;
  Placement stated = scenario.space.from_plan(scenario.baseline);
  if (!stated.in_space()) return std::nullopt;
  if (scenario.measured) {
    const Placement unstated = scenario.space.from_plan(scenario.settings);
    if (unstated.in_space() && unstated.configuration == stated.configuration) return std::nullopt;
  }
  return std::move(stated.configuration);
}

}  // namespace cubicbench::scenarios
