#pragma once

#include <nlohmann/json_fwd.hpp>

#include "results/simulation/simulation.h"

namespace cubicbench::results {

/// The document of `simulate --json`: schema cubicbench.simulate/1.
/// Times, rates and shares of a configuration that does not run are null, and so is the memory of
/// one that cannot be laid out.
nlohmann::ordered_json step_report_json(const Simulation& simulation);

}  // namespace cubicbench::results
