#pragma once

#include <optional>
#include <string>
#include <vector>

#include "datasets/measurement.h"
#include "scenarios/scenario.h"

namespace cubicbench::datasets {

/// A measured run as the simulator's input. `scenario` has no search space; its baseline is the
/// run's plan.
struct MeasuredRun {
  scenarios::Scenario scenario;
  std::vector<std::string>
      assumed;  ///< columns that were empty and filled from the stack's defaults
};

/// Either the run, or why the simulator cannot play it ("needs mixture_of_experts", "n_layers is
/// empty and no default fills it").
struct MappedRun {
  std::optional<MeasuredRun> run;
  std::string reason;  ///< empty when there is a run
};

/// Maps a row to workload, plan, cluster and stack. What a row leaves open is filled from
/// datasets/measured/assumptions.json, by software stack.
MappedRun map_run(const Measurement& row);

}  // namespace cubicbench::datasets
