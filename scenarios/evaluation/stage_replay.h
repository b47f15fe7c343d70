#pragma once

#include <cstdint>
#include <optional>

#include "scenarios/problem/scenario.h"
#include "sim/memory/allocator_replay.h"
#include "sim/memory/peak_memory.h"
#include "sim/program/workspace.h"

namespace cubicbench::scenarios {

/// What one stage of `plan` holds. Requires that the program which `workspace` saw last is of this
/// scenario and plan: call it after evaluate() or evaluate_roomy(), unless they said invalid.
sim::StageMemory stage_memory(const Scenario& scenario, const sim::Plan& plan,
                              sim::StageChoice choice, const sim::Workspace& workspace);

/// How the stages of a pipeline hand activations on.
enum class StageExchange {
  runs_ahead,  ///< the host launches on while its device waits for another stage
  waits,       ///< the host waits for its device at every exchange
};

struct StageReplay {
  std::int64_t stage = 0;
  /// What the allocator holds in the end. Nothing where it found no room, and of stacks whose
  /// allocator cannot be replayed (Stack::allocator_replayed): there the closed form stands.
  std::optional<sim::Bytes> reserved;
  /// Of a device that holds anything: when most was alive, and how much.
  sim::PeakMoment peak;
  sim::Bytes allocated;
};

/// Plays what a rank of one stage of `plan` allocates against the caching allocator. Nothing for
/// recommendation models, for offload, for models with experts, latent attention or prediction
/// layers, whose tensors are not known one by one, and for more than a hundred thousand passes over
/// layers that wait for their backward pass: there the closed form of stage_memory() stands.
/// Requires what stage_memory() requires.
std::optional<StageReplay> replay_stage(const Scenario& scenario, const sim::Plan& plan,
                                        sim::StageChoice choice, StageExchange exchange,
                                        const sim::Workspace& workspace);

/// stage_memory() with the reserved memory of the replay, where it says one.
sim::StageMemory replayed_stage_memory(const Scenario& scenario, const sim::Plan& plan,
                                       sim::StageChoice choice, StageExchange exchange,
                                       const sim::Workspace& workspace);

}  // namespace cubicbench::scenarios
