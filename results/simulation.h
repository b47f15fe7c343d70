#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scenarios/instance.h"
#include "scenarios/scenario.h"
#include "scenarios/stage_replay.h"
#include "sim/engine/step_report.h"

namespace cubicbench::results {

/// One simulated configuration and what it was asked of: everything a report prints.
struct Simulation {
  scenarios::Scenario scenario;  ///< with the constants of the instance
  std::uint64_t instance = 0;
  /// Active parameters of the space with their values, then settings outside it that were set.
  std::vector<scenarios::Assignment> config;
  bool in_space = true;
  std::string outside;     ///< why not in the space; empty when it is
  sim::StepReport report;  ///< of the ideal step
  /// Of the stage that needs most; nothing of a plan that is invalid or has no trace.
  std::optional<scenarios::StageReplay> replay;
  scenarios::TrueValue truth;  ///< of the objective, over the steps of a run
};

/// Simulates the baseline of `scenario` (which holds whatever was set) with the analytical engine,
/// under the hidden constants of `instance`.
/// `sets` are the NAME=VALUE texts that it was read with; dotted names are ignored.
Simulation simulate(const scenarios::Scenario& scenario, std::span<const std::string> sets = {},
                    std::uint64_t instance = 0);

/// Why the configuration does not run, or not to the end of a job, in one sentence without a full
/// stop; nothing when it does.
std::optional<std::string> reason(const Simulation& simulation);

/// What the allocator of the stage that needs most holds after some steps: as the replay says, or
/// the closed form where there is none or it found no room; no less than what the report has alive.
sim::Bytes reserved_memory(const Simulation& simulation);

/// What lies outside the allocator of that stage's rank: CUDA's context and communicators.
sim::Bytes outside_memory(const Simulation& simulation);

/// The largest part of the step; nothing when the configuration does not run.
std::optional<sim::StepPart> bound_by(const sim::StepReport& report);

}  // namespace cubicbench::results
