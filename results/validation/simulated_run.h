#pragma once

#include <optional>
#include <string>

#include "results/validation/validated_row.h"
#include "scenarios/problem/scenario.h"
#include "sim/memory/stage_memory.h"
#include "sim/program/workspace.h"

namespace cubicbench::results {

/// What the simulator says of a scenario's baseline.
struct SimulatedRun {
  sim::StepReport asked;  ///< on the device as it is
  sim::StepReport timed;  ///< as if memory held anything: has a time unless the plan is invalid
};

/// Leaves the program of the run in `workspace`.
SimulatedRun simulate_run(const scenarios::Scenario& scenario, sim::Workspace& workspace);

/// Why the plan has no answer; "" when it has one.
std::string refusal_of(const SimulatedRun& run);

/// Writes verdict, demand and limit.
void write_verdict(const SimulatedRun& run, ValidatedRow& row);

/// Writes times, breakdown and relative error. `throughput_per_step` over a step time is the
/// throughput; of the measured run `throughput` where the source states one. Writes nothing where a
/// measured time is so small or large that no number says how far off the simulated one is.
/// Requires a valid plan.
void write_times(const SimulatedRun& run, double measured_step_s, double throughput_per_step,
                 std::optional<double> throughput, ValidatedRow& row);

}  // namespace cubicbench::results
