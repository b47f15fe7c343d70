#pragma once

#include <optional>
#include <string>
#include <vector>

#include "datasets/mapping/library.h"
#include "datasets/tables/measurement.h"
#include "scenarios/problem/scenario.h"

namespace cubicbench::datasets {

/// A measured run as the simulator's input. `scenario` has neither space nor hash; its baseline is
/// the run's plan, its objective tokens_per_s_per_gpu.
struct MeasuredRun {
  scenarios::Scenario scenario;
  bool judges_memory = true;  ///< its stack says what the software keeps in memory
  std::string mem_kind;  ///< what its peak counts: reserved, allocated, device; "" if not known
  std::vector<std::string>
      assumed;  ///< columns that were empty, and settings without a column, in order of use
};

/// Either the run, or why the simulator cannot play it ("needs state_space_layers", "n_layers is
/// empty and no default fills it").
struct MappedRun {
  std::optional<MeasuredRun> run;
  std::string reason;    ///< empty when there is a run
  bool mixture = false;  ///< the model's layers choose among experts, as far as that is known
};

/// Whether a run is played on the network that it measured before training, or on one in order.
/// What a job measures is not known before its launch.
enum class NetworkOfRun { in_order, measured };

/// Maps a row to workload, plan, cluster and stack. What a row leaves open follows from its other
/// cells or is filled from datasets/measured/{stack_defaults,models,networks}.json
/// (docs/measured-runs.md). Whether the plan can be laid out, and fits, is the simulator's answer
/// and not asked here. Library and files are read once, on the first call. Threads may call it at
/// the same time.
MappedRun map_run(const Measurement& row, NetworkOfRun network = NetworkOfRun::in_order);

/// The same with stacks and devices of one's own `among` those that rows may name. A device without
/// a network in networks.json has that of the device which is most like it (network_device).
MappedRun map_run(const Measurement& row, NetworkOfRun network, const Library& among);

/// Tokens that a step of the run's plan trains; none where there are no tokens.
double tokens_per_step(const scenarios::Scenario& run);

/// How long a step took: as the row states it, else at its rate that of the batch that is
/// simulated. Requires one of both.
sim::Seconds measured_step(const Measurement& row, const scenarios::Scenario& run);

}  // namespace cubicbench::datasets
