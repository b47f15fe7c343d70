#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scenarios/scenario.h"
#include "sim/engine/step_report.h"

namespace cubicbench::results {

/// One simulated configuration and what it was asked of: everything a report prints.
struct Simulation {
  scenarios::Scenario scenario;
  /// Active parameters of the space with their values, then settings outside it that were set.
  std::vector<scenarios::Assignment> config;
  bool in_space = true;
  std::string outside;  ///< why not in the space; empty when it is
  sim::StepReport report;
};

/// Simulates the baseline of `scenario` (which holds whatever was set) with the analytical engine.
/// `sets` are the NAME=VALUE texts that it was read with; dotted names are ignored.
Simulation simulate(scenarios::Scenario scenario, std::span<const std::string> sets = {});

/// Why the configuration does not run, in one sentence without a full stop; nothing when it does.
std::optional<std::string> reason(const Simulation& simulation);

/// The largest part of the step; nothing when the configuration does not run.
std::optional<sim::StepPart> bound_by(const sim::StepReport& report);

}  // namespace cubicbench::results
