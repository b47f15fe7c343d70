#pragma once

#include <string>

#include "results/document/bars.h"
#include "results/simulation/simulation.h"

namespace cubicbench::results {

/// The report of one configuration for people, at most 80 columns: what was simulated, how fast it
/// is, where the time goes, and memory against capacity, or in words why it does not run.
std::string step_report_text(const Simulation& simulation, Ink ink);

}  // namespace cubicbench::results
