#pragma once

#include <string>

#include "results/simulation.h"

namespace cubicbench::results {

/// "2.433 M tokens/s, the median over the steps of a run": the true value of the objective, or why
/// there is none. Requires a configuration that runs.
std::string objective_text(const Simulation& simulation);

}  // namespace cubicbench::results
