#pragma once

#include <cstdint>
#include <string>

namespace cubicbench::results {

/// How large a scenario of the library is.
struct ScenarioSize {
  std::int64_t gpus = 0;
  std::uint64_t configurations = 0;
};

/// That of the scenario: as results/sizes/scenarios.json has it, since to count a space is to read
/// it, and tables of runs are long; counted where the file is of another text of the scenario.
ScenarioSize size_of_scenario(const std::string& name);

/// The text of results/sizes/scenarios.json, everything counted.
std::string counted_sizes();

}  // namespace cubicbench::results
