#pragma once

#include <cstdint>
#include <optional>

#include "scenarios/scenario.h"
#include "sim/memory/allocator_replay.h"
#include "sim/memory/stage_memory.h"
#include "sim/program/workspace.h"

namespace cubicbench::scenarios {

/// How the stages of a pipeline hand activations on.
enum class StageExchange {
  runs_ahead,  ///< the host launches on while its device waits for another stage
  waits,       ///< the host waits for its device at every exchange
};

struct StageReplay {
  sim::ReplayReport report;
  std::int64_t stage = 0;
  /// Of a device that holds anything: when most was alive, and how much.
  sim::PeakMoment peak;
  sim::Bytes allocated;
};

/// Plays what a rank of one stage of `plan` allocates against the caching allocator. Nothing for
/// recommendation models and for plans of whose stack no trace is known (offload): there the closed
/// form of stage_memory() stands. Requires what stage_memory() requires.
std::optional<StageReplay> replay_stage(const Scenario& scenario, const sim::Plan& plan,
                                        sim::StageChoice choice, StageExchange exchange,
                                        const sim::Workspace& workspace);

/// stage_memory() with the reserved memory of the replay, where there is one. Not of FSDP: its
/// trainers set expandable segments (github.com/pytorch/torchtitan, run_train.sh), which leave no
/// fragments to replay.
sim::StageMemory replayed_stage_memory(const Scenario& scenario, const sim::Plan& plan,
                                       sim::StageChoice choice, StageExchange exchange,
                                       const sim::Workspace& workspace);

}  // namespace cubicbench::scenarios
