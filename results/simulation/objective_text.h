#pragma once

#include <string>

#include "results/simulation/simulation.h"
#include "scenarios/problem/scenario.h"

namespace cubicbench::results {

/// "2.433 M tokens/s", "4.128 s a step": a value of that metric.
std::string metric_text(scenarios::Metric metric, double value);

/// "the median", "P90".
std::string percentile_text(double percentile);

/// "2.433 M tokens/s, the median over the steps of a run": the true value of the objective, or why
/// there is none. Requires a configuration that runs.
std::string objective_text(const Simulation& simulation);

}  // namespace cubicbench::results
