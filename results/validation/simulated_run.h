#pragma once

#include <optional>
#include <string>

#include "datasets/mapping/measured_run.h"
#include "results/validation/validated_row.h"
#include "sim/memory/stage_memory.h"
#include "sim/program/workspace.h"

namespace cubicbench::results {

/// What the simulator says of a run's baseline.
struct SimulatedRun {
  std::string refusal;    ///< why there is no answer; "" when there is one
  sim::StepReport asked;  ///< on the device as it is
  sim::StepReport timed;  ///< as if memory held anything: has a time
};

/// Leaves the program of the run in `workspace`.
SimulatedRun simulate_run(const datasets::MappedRun& mapped, sim::Workspace& workspace);

/// `row`, of which only what it is called is known.
SkippedRow skipped_row(ValidatedRow row, std::string reason);

/// Writes verdict, demand and limit.
void write_verdict(const SimulatedRun& run, ValidatedRow& row);

/// What took a measured and a simulated time, in seconds.
struct TimedWork {
  double measured = 0.0;
  double simulated = 0.0;
  double amount = 0.0;                          ///< over a time: the throughput
  std::optional<double> throughput_measured{};  ///< where the source states one
};

/// Writes times, throughputs and relative error. Writes nothing where a measured time is so small
/// or large that no number says how far off the simulated one is.
void write_times(const TimedWork& work, ValidatedRow& row);
/// The breakdown of the step too.
void write_times(const SimulatedRun& run, TimedWork work, ValidatedRow& row);

}  // namespace cubicbench::results
