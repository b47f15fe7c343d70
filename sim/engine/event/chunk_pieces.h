#pragma once

#include <cstdint>
#include <vector>

#include "sim/engine/event/weight_script.h"
#include "sim/hardware/stack.h"
#include "sim/plan/plan.h"
#include "sim/program/step_program.h"
#include "sim/workload/transformer.h"

namespace cubicbench::sim {

/// The layers of a stage, by chunk, and of them what lies in layers with experts. The layers of a
/// stage are numbered as StageRun counts them: consecutive ones of the model, prediction layers
/// last, chunk by chunk.
struct ChunkPieces {
  std::vector<LayerPieces> layers;
  std::vector<LayerPieces> experts;
};

/// Of stage `stage`, which is of `run`.
ChunkPieces chunk_pieces(const StepProgram& program, const Transformer& model, const StageRun& run,
                         std::int64_t stage, const Plan& plan, const Stack& stack);

}  // namespace cubicbench::sim
