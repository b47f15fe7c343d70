#pragma once

#include "sim/engine/event/weight_script.h"
#include "sim/hardware/cluster.h"
#include "sim/hardware/stack.h"
#include "sim/memory/memory_report.h"
#include "sim/plan/plan.h"
#include "sim/program/recommendation_program.h"
#include "sim/program/step_program.h"

namespace cubicbench::sim {

/// What the ranks of every pipeline stage do in a step of `program`, lowered from `model`. `memory`
/// says how full they are.
StepScript transformer_script(const StepProgram& program, const Transformer& model,
                              const Plan& plan, const Cluster& cluster, const Stack& stack,
                              const MemoryReport& memory);

/// What every rank does in a step of `program`; all do the same, as the busiest does.
StepScript recommendation_script(const RecommendationProgram& program, const Plan& plan,
                                 const Cluster& cluster, const Stack& stack,
                                 const MemoryReport& memory);

/// The layers of a stage, by chunk, and of them what lies in layers of each kind, and of those with
/// experts. The layers of a stage are numbered as StageRun counts them: consecutive ones of the
/// model, prediction layers last, chunk by chunk.
struct ChunkPieces {
  std::vector<LayerPieces> layers;
  PerKind<std::vector<LayerPieces>> kinds;
  std::vector<LayerPieces> experts;
};

/// Of stage `stage`, which is of `run`.
ChunkPieces chunk_pieces(const StepProgram& program, const Transformer& model, const StageRun& run,
                         std::int64_t stage, const Plan& plan, const Stack& stack);

/// Appends to the script of one stage of a step.
class ScriptWriter {
 protected:
  ScriptWriter(StepScript& step, StageScript& script) : step_(step), script_(script) {}

  void add(ActionKind kind, std::uint8_t which) {
    script_.actions.push_back({.kind = kind, .which = which, .micro_batch = micro_batch_});
  }

  void at(Moment moment) { add(ActionKind::moment, static_cast<std::uint8_t>(moment)); }

  void add_block(std::uint16_t row, std::int64_t layer = -1) {
    script_.actions.push_back({.kind = ActionKind::block,
                               .layer = static_cast<std::int16_t>(layer),
                               .micro_batch = micro_batch_,
                               .index = row});
  }

  void pause(const Pause& pause) {
    script_.pauses.push_back(pause);
    add(ActionKind::pause, static_cast<std::uint8_t>(script_.pauses.size() - 1));
  }

  void issue(AsyncStream stream, const char* name, Role role, const Transfer& transfer) {
    step_.transfers.push_back(transfer);
    script_.streams[static_cast<std::size_t>(stream)].push_back(
        {.name = name,
         .role = role,
         .transfer = static_cast<std::uint32_t>(step_.transfers.size() - 1)});
    add(ActionKind::issue, static_cast<std::uint8_t>(stream));
  }

  /// All that was issued on the stream.
  void await(AsyncStream stream) {
    const auto index = static_cast<std::size_t>(stream);
    script_.actions.push_back({.kind = ActionKind::await,
                               .which = static_cast<std::uint8_t>(stream),
                               .micro_batch = micro_batch_,
                               .index = static_cast<std::int32_t>(script_.streams[index].size())});
  }

  StepScript& step_;
  StageScript& script_;
  std::int32_t micro_batch_ = -1;
};

}  // namespace cubicbench::sim
